import type { RehearsalView } from '@courier-fleet/api-types'
import {
  budgetWords,
  forecastWords,
  foretoldSteps,
  gettingIn,
  isHeldBack,
  mostWords,
  reachWords,
  recordWords,
  unreachableWords,
} from '@courier-fleet/words'
import { textOn } from '../../message-parts.ts'
import { fieldOf } from '../../problem-text.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useForetoldMoment } from '../use-moment.ts'
import { PlanNote } from './plan-note.tsx'
import { Unreachable } from './unreachable.tsx'

/** Whom it will be sent to, as far as is known now, and by name and reason whom not. Whether it arrives, nobody knows yet. */
export function Reach() {
  const { rehearsal, draft } = useStores()
  const words = useWords()
  const view = rehearsal.view.value
  const nobody = draft.content.value.to.length === 0
  return (
    <section class="card" aria-labelledby="reach">
      <h2 id="reach" tabIndex={-1}>
        {words.rehearsal.title}
      </h2>
      <div role="status">
        {nobody ? (
          <p class="hint">{words.compose.nobodyChosen}</p>
        ) : view ? (
          <ReachSentence view={view} />
        ) : (
          rehearsal.error.value === undefined && <p class="hint">{words.rehearsal.asking}</p>
        )}
      </div>
      {!nobody && (
        <Failure error={rehearsal.error.value} retry={fieldOf(rehearsal.error.value) ? undefined : rehearsal.again} />
      )}
      {view && view.unreachable.length > 0 && <Unreachable view={view} />}
      {view && <ReachByChannel view={view} />}
    </section>
  )
}

/** `We will send it to 52 of 55 people · 3 people will not get it`, and when, and what it costs. */
export function ReachSentence({ view }: { view: RehearsalView }) {
  const { draft, language } = useStores()
  const words = useWords()
  const { to, text, when, confirm, smsAtMost } = draft.content.value
  const reach = reachWords(language.code.value, view, to.length)
  const onEach = textOn(Object.keys(view.channels), text, view.senderLines, confirm)
  const partsEach = Math.max(0, ...onEach.map(({ smsParts }) => smsParts))
  const moment = useForetoldMoment()
  const inParts = { partsEach: text.trim() === '' ? 0 : partsEach }
  const most = mostWords(language.code.value, view.plan, {
    ...inParts,
    ...(smsAtMost ? { ceiling: { parts: smsAtMost } } : {}),
  })
  const foretold = forecastWords(language.code.value, view.plan, { ...inParts, moment })
  return (
    <>
      <p class="figure">{reach.sentence}</p>
      {gettingIn(view) === 0 && <p class="note">{words.rehearsal.nobodyNext}</p>}
      {view.plan && isHeldBack(view.plan) && <PlanNote plan={view.plan} isForLater={when === 'later'} />}
      {reach.overlap && <p>{reach.overlap}</p>}
      {foretold && <p>{foretold}</p>}
      {most && <p>{most}</p>}
      {budgetWords(language.code.value, view.plan, inParts.partsEach).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {view.steps && foretoldSteps(language.code.value, view.steps).map((line) => <p key={line}>{line}</p>)}
      {view.record && <p class="hint">{recordWords(language.code.value, view.record)}</p>}
    </>
  )
}

function ReachByChannel({ view }: { view: RehearsalView }) {
  const words = useWords()
  return (
    <details>
      <summary>{words.rehearsal.byChannel}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.rehearsal.channel}</th>
            <th scope="col">{words.rehearsal.reachable}</th>
            <th scope="col">{words.rehearsal.not}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(view.channels).map(([channel, { reachable, ...not }]) => (
            <tr key={channel}>
              <th scope="row">{words.channelName(channel)}</th>
              <td>{words.number(reachable)}</td>
              <td>
                {(Object.entries(not) as [NotReachable, number][])
                  .filter(([, count]) => count > 0)
                  .map(([reason, count]) => `${words.number(count)}: ${unreachableWords(words.known, reason)}`)
                  .join('; ') || '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

type NotReachable = RehearsalView['unreachable'][number]['channels'][string]
