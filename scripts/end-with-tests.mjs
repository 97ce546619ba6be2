/** In every test run: whoever ends it by a signal ends what tests have started, too. Without this no handler of `exit` would be called. */
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
