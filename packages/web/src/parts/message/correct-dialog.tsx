import type { FollowUp, HistoryView } from '@courier-fleet/api-types'
import { correctionRehearsalWords } from '@courier-fleet/words/change-rehearsal-words'
import { useSignal } from '@preact/signals'
import { fieldOf, problemText } from '../../problem-text.ts'
import { useStores, useWords } from '../../stores.ts'
import { useCorrectWords } from '../../texts/correct.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { later } from '../later.tsx'
import { useAsync } from '../use-async.ts'
import { ChangeForeseen } from './change-foreseen.tsx'

const ScheduledReach = later(async () => (await import('./scheduled-reach.tsx')).ScheduledReach)

const followUps = ['where-needed', 'always', 'never'] as const satisfies readonly FollowUp[]

interface Props {
  readonly history: HistoryView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Another text: of a message that has begun, also for whoever has the one before. */
export function CorrectDialog({ history, onClose, onDone }: Props) {
  const { api, language, notices } = useStores()
  const words = useWords()
  const correct = useCorrectWords()
  const { key, state, text: before = '' } = history
  const hasBegun = state !== 'scheduled'
  const text = useSignal(before)
  const followUp = useSignal<FollowUp>('where-needed')
  const wanted = { text: text.value.trim(), followUp: followUp.value }
  const isAnother = wanted.text !== '' && wanted.text !== before
  const saving = useAsync(async () => {
    await api.correct(key, wanted)
    notices.announce(correct.done)
    onDone()
  })
  const failure = saving.error.value
  const isOfText = fieldOf(failure) === 'text'
  return (
    <Dialog title={hasBegun ? words.message.correct : words.message.change} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.run()
        }}
      >
        <Field id="new-text" label={correct.text} error={isOfText ? problemText(words, failure) : undefined}>
          {(ids) => (
            <textarea
              {...ids}
              required
              rows={4}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          )}
        </Field>
        {hasBegun && (
          <>
            <p class="hint">{correct.whom}</p>
            <fieldset class="choices">
              <legend>{correct.tell}</legend>
              {followUps.map((each) => (
                <label key={each}>
                  <input
                    type="radio"
                    name="follow-up"
                    checked={followUp.value === each}
                    onChange={() => (followUp.value = each)}
                  />
                  {correct.followUps[each]}
                </label>
              ))}
            </fieldset>
          </>
        )}
        {hasBegun && isAnother && failure === undefined && (
          <ChangeForeseen
            ask={(signal) => api.rehearseCorrection(key, wanted, signal)}
            say={(view) => correctionRehearsalWords(language.code.value, view)}
            of={JSON.stringify(wanted)}
          />
        )}
        {!hasBegun && <ScheduledReach history={history} text={text.value} />}
        {!isOfText && <Failure error={failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={text.value.trim() === before}>
            {correct.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
