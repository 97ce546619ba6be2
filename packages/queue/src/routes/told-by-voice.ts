/** That somebody of a message was told it by voice: the sender or an operator says so, and may take it back. */
import { historyKeyOf, toldOutcome } from '@courier-fleet/api-types'
import type { FastifyRequest } from 'fastify'
import { aboutMessage } from '../access/audit.ts'
import { historyOf } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { readSnapshot } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { keyPersonParams } from './parameters.ts'

const tags = ['histories']
const path = '/histories/:key/told-by-voice/:person'

export function toldByVoiceRoutes(app: App, { histories, audit }: RouteDeps): void {
  async function say(request: FastifyRequest<{ Params: { key: string; person: string } }>, isTold: boolean) {
    const ref = historyOf(request, 'manage')
    const { principal: by, params } = request
    const { person } = params
    const toldByVoice = await histories.tellByVoice(
      await readSnapshot(histories, ref),
      person,
      isTold ? by.owner : undefined,
    )
    const action = isTold ? 'person.told-by-voice' : 'person.told-taken-back'
    await audit.write({ action, ...aboutMessage(by, ref), person })
    return { key: historyKeyOf(ref), person, ...(toldByVoice ? { toldByVoice } : {}) }
  }

  app.put(
    path,
    {
      config: { problems: ['409 was-cancelled', '422 not-in-audience'] },
      schema: {
        tags,
        operationId: 'tellByVoice',
        summary: 'Say that a person was told by voice',
        description:
          'For whoever was not reached. Their receipts stay as they are, and a later report counts as ever; the history counts them as `toldByVoice` ' +
          'unless a channel is known to have reached them or is still at it. Who has said so first stays.',
        params: keyPersonParams,
        response: answers({ 200: toldOutcome }),
      },
    },
    (request) => say(request, true),
  )

  app.delete(
    path,
    {
      config: { problems: ['409 was-cancelled', '422 not-in-audience'] },
      schema: {
        tags,
        operationId: 'takeBackToldByVoice',
        summary: 'Take back that a person was told by voice',
        description: 'The history says of them again what their receipts say. The audit keeps both.',
        params: keyPersonParams,
        response: answers({ 200: toldOutcome }),
      },
    },
    (request) => say(request, false),
  )
}
