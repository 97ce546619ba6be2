import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly history: HistoryView
  /** unknown, on one channel or on several */
  readonly people: readonly ReceiptView[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** people named in the dialog */
const maxNamed = 10

const decisions = ['delivered', 'failed', 'again'] as const
type Decision = (typeof decisions)[number]

/** What is to be done about people who are unknown, one channel at a time. Nothing is decided beforehand. */
export function DecisionDialog({ history, people, onClose, onDone }: Props) {
  const { api, notices } = useStores()
  const words = useWords()
  const { decision: said } = words
  const unknownOn = (leg: string) => people.filter(({ channels }) => channels[leg]?.state === 'unknown')
  const legs = Object.keys(history.channels).filter((leg) => unknownOn(leg).length > 0)
  const leg = useSignal(legs[0] ?? '')
  const decision = useSignal<Decision | undefined>(undefined)
  const deciding = useAsync(async (what: Decision) => {
    const wanted = { channel: leg.value, people: unknownOn(leg.value).map(({ person }) => person) }
    const { people: count } =
      what === 'again'
        ? await api.resend(history.key, wanted)
        : await api.resolve(history.key, { ...wanted, outcome: what })
    notices.announce(said.done(count))
    onDone()
  })
  return (
    <Dialog title={said.title(people.length)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (decision.value) deciding.run(decision.value)
        }}
      >
        <p>
          {said.whom(
            people.slice(0, maxNamed).map(({ name, person }) => name ?? person),
            Math.max(0, people.length - maxNamed),
          )}
        </p>
        {legs.length > 1 && (
          <fieldset class="choices">
            <legend>{said.channel}</legend>
            {legs.map((each) => (
              <label key={each}>
                <input type="radio" name="leg" checked={leg.value === each} onChange={() => (leg.value = each)} />
                {words.channelName(each)}: {words.people(unknownOn(each).length)}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="choices">
          <legend>{said.what}</legend>
          {decisions.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="decision"
                checked={decision.value === each}
                onChange={() => (decision.value = each)}
              />
              {said.choices[each]}
            </label>
          ))}
        </fieldset>
        <p class="hint">{decision.value === 'again' ? said.twice : said.kept}</p>
        <Failure error={deciding.error.value} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={decision.value === undefined}>
            {decision.value === 'again' ? said.send : words.message.save}
          </button>
          <button type="button" onClick={onClose}>
            {said.nothing}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
