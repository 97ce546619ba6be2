import type { HistoryView, RehearsalInput, RehearsalView } from '@courier-fleet/api-types'
import { toLeftOf } from '@courier-fleet/api-types/narrowing'
import { forecastWords, isHeldBack, mostWords, reachWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { textOn } from '../../message-parts.ts'
import { fieldOf } from '../../problem-text.ts'
import { useStores, useWords } from '../../stores.ts'
import { useScheduledWords } from '../../texts/scheduled.ts'
import { Phones } from '../compose/phones.tsx'
import { PlanNote } from '../compose/plan-note.tsx'
import { Unreachable } from '../compose/unreachable.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useForetoldMoment } from '../use-moment.ts'

interface Props {
  readonly history: HistoryView
  /** another due time, ISO 8601: who would have to wait then is said, too */
  readonly at?: string | undefined
  /** another text: what it costs and how it looks is said, too */
  readonly text?: string | undefined
}

/** a time is typed digit by digit */
const pauseMs = 250

/** Whom a message that has not begun would be sent to as things stand now, and by name and reason whom not. */
export function ScheduledReach({ history, at, text }: Props) {
  const { api, language, session } = useStores()
  const words = useWords()
  const scheduled = useScheduledWords()
  const view = useSignal<RehearsalView | undefined>(undefined)
  const asking = useAsync(async () => {
    const found = await api.rehearse(askedOf(history, at))
    const isOwn = history.sender === session.current.value?.owner
    view.value = isOwn ? found : { ...found, senderLines: linesOf(history, found) }
  })
  const isAsked = asking.running.value
  useEffect(() => {
    const timer = setTimeout(asking.run, pauseMs)
    return () => clearTimeout(timer)
  }, [history.key, history.at, at])
  const found = view.value
  const error = asking.error.value
  // the field of the time says what is wrong with it
  if (error !== undefined) return fieldOf(error) === 'at' ? null : <Failure error={error} retry={asking.run} />
  if (!found) return isAsked ? <p class="hint">{words.rehearsal.asking}</p> : null
  const hasLeft = (history.audience?.size ?? 0) - found.people
  return (
    <>
      <div role="status">
        <p class="figure">{reachWords(language.code.value, found, history.to?.length ?? 0).sentence}</p>
        {at && found.plan && isHeldBack(found.plan) && <PlanNote plan={found.plan} isForLater />}
        {text !== undefined && <Price history={history} view={found} text={text} />}
      </div>
      {hasLeft > 0 && <p class="hint">{scheduled.hasLeft(hasLeft)}</p>}
      <p class="hint">{scheduled.asOfNow}</p>
      {found.unreachable.length > 0 && <Unreachable view={found} />}
      {text !== undefined && <Phones text={text} confirm={history.confirm} view={found} />}
    </>
  )
}

function Price({ history, view, text }: { history: HistoryView; view: RehearsalView; text: string }) {
  const { language } = useStores()
  const moment = useForetoldMoment()
  const onEach = textOn(Object.keys(view.channels), text, view.senderLines, history.confirm)
  const partsEach = text.trim() === '' ? 0 : Math.max(0, ...onEach.map(({ smsParts }) => smsParts))
  const said = [
    forecastWords(language.code.value, view.plan, { partsEach, moment }),
    mostWords(language.code.value, view.plan, { partsEach }),
  ]
  return said.map((line) => line && <p key={line}>{line}</p>)
}

/** Of another's message a rehearsal has the sender line of whoever asks. */
const linesOf = ({ senderLine }: HistoryView, { channels }: RehearsalView) =>
  senderLine ? Object.fromEntries(Object.keys(channels).map((channel) => [channel, senderLine])) : {}

/** Its people as they were fixed: of those whom it was addressed to then, whoever of this message has it not, which is everybody. */
function askedOf(history: HistoryView, at = history.at): RehearsalInput {
  const { expected, steps, class: cls, type, level, quiet, duplicates, whenOnline } = history
  const channels = steps ? [...new Set(steps.flatMap((step) => step.channels))] : expected
  return {
    to: toLeftOf(history, 'unconfirmed'),
    ...(channels.length > 0 ? { channels: [...channels] } : {}),
    ...(at ? { at } : {}),
    ...(cls ? { class: cls } : {}),
    ...(type ? { type: type.id } : {}),
    ...(level ? { level } : {}),
    ...(quiet ? { quiet } : {}),
    ...(duplicates ? { duplicates } : {}),
    ...(whenOnline ? { whenOnline } : {}),
  }
}
