/** What the fleet itself calls: the body is the shape that is sent, the headers are those of standard-webhooks 1.0.0. */
import type { Json } from './openapi-operation.ts'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
})

const parameters = [
  header(
    'webhook-id',
    'of the call: the same at every try, so that a receiver takes it once',
    'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  ),
  header('webhook-timestamp', 'when this try was made, in seconds since 1970: refuse what is old', '1788242400'),
  header(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body` under your secret, in base64 after `v1,`; several between blanks while a secret is being changed',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

const call = (
  operationId: string,
  summary: string,
  description: string,
  name: string,
  taken = 'it was taken',
): Json => ({
  post: {
    operationId,
    summary,
    description,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
    responses: {
      '2XX': { description: taken },
      '410': { description: 'nobody is here any more: this address is not called again' },
      default: { description: 'not taken: it is tried again later' },
    },
  },
})

export const webhooks: Json = {
  message: call(
    'receiveMessage',
    'A message for the system behind your URL',
    'Posted to a URL that is a contact of the channel `http`, or that a message names in `to`. Tried again by the schedule until the message expires; a system folds what comes twice by its `id`.',
    'MessageCall',
  ),
  corrected: call(
    'receiveCorrection',
    'The new text of a message that your URL has taken',
    'Posted where a message was taken and corrected since. `replaces` has the id under which it was posted, `version` is higher than with any text before.',
    'CorrectedCall',
  ),
  recalled: call(
    'receiveRecall',
    'A message that your URL has taken is withdrawn',
    'Posted where a message was taken and withdrawn since. `replaces` has the ids under which it, and what corrected it, were posted.',
    'RecalledCall',
  ),
  change: call(
    'receiveChange',
    'Something that is subscribed to has changed',
    'One field after the other, with what it was and what it is. In order for each resource, at least once; `sequence` tells repeats and gaps. The first call about a resource has all of its fields.',
    'Change',
  ),
  recheck: call(
    'answerRecheck',
    'Whether a message is to be sent now',
    'Asked right before a message with a `recheck` goes out. Answer 200 and `ok`, or `error`; where it is asked about people, `{"ok": ["id", …]}` with those it may be sent to.',
    'RecheckQuestion',
    'with `ok` in the body it is sent, with `error` it is not',
  ),
}
