/** Another text for a message that was accepted, and for those who have the one before. */
import { correctionBody, correctionOutcome, correctionRehearsal, historyKeyOf } from '@courier-fleet/api-types'
import { channels as allChannels } from '@courier-fleet/channels'
import { followUpText } from '@courier-fleet/store'
import { correctedText, introsOf, requireValuesOfAll } from '../acceptance/corrected-text.ts'
import { requireFittingText } from '../acceptance/fitting-text.ts'
import { requireForUrls } from '../acceptance/url-addressees.ts'
import { aboutMessage } from '../access/audit.ts'
import { historyOf } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { readSnapshot } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { rehearseCorrection } from '../plan/rehearse-changes.ts'
import { dryRunQuery, keyParams } from './parameters.ts'

const channelsThatEdit = allChannels.flatMap(({ name, abilities }) => ('edit' in abilities ? [name] : []))

export function correctionRoutes(app: App, deps: RouteDeps): void {
  const { histories, directory, settings, audit, clock, rules, redis, shards } = deps
  app.post(
    '/histories/:key/corrections',
    {
      config: {
        problems: [
          '409 has-expired',
          '409 in-progress',
          '409 was-cancelled',
          '422 cannot-correct',
          '422 fields-differ',
          '422 missing-field',
          '422 not-in-audience',
          '422 text-too-long',
          '422 urls-and-people',
          '422 which-language',
        ],
      },
      schema: {
        tags: ['histories'],
        operationId: 'correctMessage',
        summary: 'Give a message another text',
        description:
          'From the answer on nobody is sent the older text. Whoever has not been sent it gets the new one; whoever has it, or may have it, is corrected: by an edit where the ' +
          'channel can, else by a message of its own that says what it corrects; with `followUp` as `always` by both. `versions` of the history says how far that is. One correction at a time, nine texts at most, ' +
          'until 14 days after the message has settled; none of a message that was cancelled. To a URL the new text is posted. Of one that asks to be confirmed everybody is asked anew. ' +
          'The text may be another for each, as that of a message: by language, and with fields. Values of the message stay unless another is given; what is known of a person is read when they are corrected. ' +
          'With `dryRun=true` nothing is changed: 200 says what would become of whom, by the same rules and with the same refusals.',
        params: keyParams,
        querystring: dryRunQuery,
        body: correctionBody,
        response: answers({ 200: correctionRehearsal, 202: correctionOutcome }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'manage')
      const { principal, body, query } = request
      const snapshot = await readSnapshot(histories, ref)
      const nowMs = clock.now()
      const message = histories.message(snapshot)
      const { channels, senderLine, confirm, dueMs = nowMs, startedMs = dueMs } = message ?? {}
      if (message?.areUrls) requireForUrls(body)
      const written = correctedText(body, message?.personal, settings.current())
      const intros = introsOf(written, { sentMs: startedMs, nowMs, timeZone: rules.timeZone })
      const following = followUpText(written, intros)
      await requireFittingText({ redis, shards }, channels, { ...following, senderLine, confirm })
      if (message) await requireValuesOfAll(directory, written, message)
      const { followUp } = body
      const isAlways = followUp === 'always'
      const told = { message: followUp === 'never' ? undefined : following, isAlways }
      if (query.dryRun) return rehearseCorrection(deps, snapshot, written, told)
      const alsoTold = isAlways ? channelsThatEdit : []
      const how = { ...written, ...intros, followUp, alsoTold, by: principal.owner, atMs: nowMs }
      const version = await histories.correct(snapshot, how)
      await audit.write({ action: 'message.corrected', ...aboutMessage(principal, ref), detail: `version ${version}` })
      reply.code(202)
      return { key: historyKeyOf(ref), version }
    },
  )
}
