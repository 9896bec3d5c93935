export { ServeError, StartError } from './errors.ts';
export { loadConfig, loadModel } from './config/load.ts';
export { startServer } from './server.ts';
