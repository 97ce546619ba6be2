import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import { limitWords, wholeReceiptWords } from '@courier-fleet/words'
import { type Step, stepsOf } from '../../person-steps.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { Dialog } from '../dialog.tsx'
import { usePreciseMoment } from '../use-moment.ts'

interface Props {
  readonly receipt: ReceiptView
  readonly history: HistoryView
  readonly onClose: () => void
}

/** What happened with a message for one person, step by step, each with its time where one is known. */
export function PersonTimeline({ receipt, history, onClose }: Props) {
  const { timeline, byVoice } = useMessageWords()
  const { channelName } = useWords()
  const moment = usePreciseMoment()
  function wordsOf(step: Exclude<Step, OnLeg>): string {
    if (step.what === 'toldByVoice') return byVoice.toldBy(step.by)
    if (step.what === 'confirmed') return timeline.confirmed(channelName(step.channel))
    if (step.what === 'corrected') return timeline.corrected(step.by)
    if (step.what === 'stopped') return timeline.stopped(step.by)
    return timeline[step.what]
  }
  return (
    <Dialog title={receipt.name ?? receipt.person} onClose={onClose}>
      <p class="hint">{receipt.person}</p>
      <ol class="timeline">
        {stepsOf(history, receipt).map((step) => (
          <li key={'leg' in step ? step.leg : `${step.what} ${step.at}`} class={classOfStep(step)}>
            {step.at && (
              <time class="hint" dateTime={step.at}>
                {moment(step.at)}
              </time>
            )}
            {'leg' in step ? <Said step={step} /> : <p>{wordsOf(step)}</p>}
          </li>
        ))}
      </ol>
      <p class="hint">{timeline.lastOnly}</p>
    </Dialog>
  )
}

type OnLeg = Extract<Step, { readonly leg: string }>

const classOfStep = (step: Step) =>
  step.what === 'receipt' ? `mark-of ${classOf({ channels: { [step.leg]: step.receipt } })}` : undefined

/** The only place for what a provider said in its own words, and for operators alone. */
function Said({ step: { what, leg, receipt } }: { step: OnLeg }) {
  const { language, session } = useStores()
  const words = useWords()
  const { timeline } = useMessageWords()
  const moment = usePreciseMoment()
  const said = (ms: number) => moment(new Date(ms).toISOString())
  const { toldBy, providerId, detail, limit, reason } = receipt
  return (
    <>
      <p>
        <strong>{words.channelName(leg)}</strong>
        {what !== 'receipt' && `, ${timeline[what]}`}: {wholeReceiptWords(language.code.value, leg, receipt, said)}
      </p>
      {toldBy && (
        <p class="hint">
          {words.message.toldBy}: {toldBy}
        </p>
      )}
      {limit && <p>{limitWords(language.code.value, reason, limit, said)}</p>}
      {session.may('operator') && providerId && (
        <p class="hint">
          {words.message.providerId}: {providerId}
        </p>
      )}
      {session.may('operator') && detail && (
        <p class="hint">
          {words.message.detail}: <span lang="en">{detail}</span>
        </p>
      )}
    </>
  )
}
