import { NODE_PLATFORM } from './platform-node.ts';
import { installPlatform } from './platform.ts';

installPlatform(NODE_PLATFORM);

export * from './public.ts';
