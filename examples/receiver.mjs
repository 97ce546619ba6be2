/**
 * A system that the fleet calls, whole: every call is verified, handled once, and changes of a resource in their order. Which text of a message
 * is the newest is for you to keep, by `version` and `replaces` (docs/receiving.md).
 *
 *     WEBHOOK_SECRET=whsec_… node examples/receiver.mjs
 *
 * WEBHOOK_SECRET is what the fleet told once when it was given the URL of this system; two of them, with a comma between, while one is
 * being rotated. PORT is where it listens, 3000 when missing.
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createWebhookReceiver } from '@courier-fleet/client'

const receive = createWebhookReceiver({
  secrets: (process.env.WEBHOOK_SECRET ?? '').split(','),
  // in the place of this line: write it down, together with its id
  handle: ({ id, data, missed }) => console.log(JSON.stringify({ id, missed, ...data })),
})

const server = createServer(async (request, response) => {
  // undefined: whoever called has hung up before all of it was here, and waits for no answer
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return
  const { status, why, error } = await receive(request.headers, body)
  if (error) console.error(error)
  response.writeHead(status).end(why)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.once('SIGTERM', () => server.close())
