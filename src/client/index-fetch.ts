import { FETCH_PLATFORM } from './platform-fetch.ts';
import { installPlatform } from './platform.ts';

installPlatform(FETCH_PLATFORM);

export * from './public.ts';
