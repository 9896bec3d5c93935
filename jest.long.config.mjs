import config from './jest.config.mjs';

/** Soak and drill tests: `npm run test:long`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/long/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  passWithNoTests: true,
};
