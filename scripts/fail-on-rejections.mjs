/** In every test run: a rejection that nobody handles, which would end a process and which mocha passes over, fails the test. */
process.on('unhandledRejection', (reason) => {
  throw reason
})
