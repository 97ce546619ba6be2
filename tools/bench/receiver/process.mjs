/** What is called, in a process of its own: one that is busy with something else would find its calls late. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerCalls } from '../answer-calls.mjs'

/** by what follows the question mark: when it came, Unix ms */
let came = new Map()
/** ids of calls */
let seen = new Set()
let repeated = 0

const server = createServer((request, response) => {
  const at = Date.now()
  request.resume()
  if (request.url?.startsWith('/hang')) return
  const id = String(request.headers['webhook-id'])
  if (seen.has(id)) repeated += 1
  else {
    seen.add(id)
    const which = Number(/\?(\d+)$/.exec(request.url ?? '')?.[1])
    came.set(which, [...(came.get(which) ?? []), at])
  }
  response.writeHead(204).end()
})

answerCalls({
  async open() {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  },
  count: () => came.size,
  calls: () => ({ came: [...came], repeated }),
  forget() {
    came = new Map()
    seen = new Set()
    repeated = 0
  },
})
