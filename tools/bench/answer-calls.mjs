/** The child's end of calls.ts. The channel keeps no process alive, and a process whose bench is gone ends. */

/** @param {Record<string, (args: any) => unknown>} handlers by the name of the call */
export function answerCalls(handlers) {
  process.on('message', async ({ id, name, args }) => {
    try {
      const handler = handlers[name]
      if (!handler) return // meant for another listener of this process
      process.send({ id, result: await handler(args) })
    } catch (error) {
      process.send({ id, error: error.stack ?? String(error) })
    }
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
