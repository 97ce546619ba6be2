import type { FollowUp, HistoryView } from '@courier-fleet/api-types'
import { correctionRehearsalWords } from '@courier-fleet/words/change-rehearsal-words'
import { useSignal } from '@preact/signals'
import { fieldOf, problemText } from '../../problem-text.ts'
import { useStores, useWords } from '../../stores.ts'
import { useCorrectWords } from '../../texts/correct.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { ChangeForeseen } from './change-foreseen.tsx'
import { ScheduledReach } from './scheduled-reach.tsx'

const followUps = ['where-needed', 'always', 'never'] as const satisfies readonly FollowUp[]

interface Props {
  readonly history: HistoryView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** where there is one text for people of all languages */
const only = ''

/** By language, that for people of other languages first. */
const textsOf = ({ text = '', language = only, texts }: HistoryView): Readonly<Record<string, string>> =>
  texts ? { [language]: text, ...texts } : { [only]: text }

/** Another text: of a message that has begun, also for whoever has the one before. */
export function CorrectDialog({ history, onClose, onDone }: Props) {
  const { api, language, notices } = useStores()
  const words = useWords()
  const correct = useCorrectWords()
  const { key, state } = history
  const hasBegun = state !== 'scheduled'
  const before = textsOf(history)
  const typed = useSignal(before)
  const followUp = useSignal<FollowUp>('where-needed')
  const isPersonal = (history.texts ?? history.fields) !== undefined
  const texts = Object.fromEntries(Object.entries(typed.value).map(([of, text]) => [of, text.trim()]))
  const isSame = Object.entries(before).every(([of, text]) => texts[of] === text)
  const isAnother = !isSame && !Object.values(texts).includes('')
  const wanted = { text: history.texts ? texts : (texts[only] ?? ''), followUp: followUp.value }
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
        {Object.entries(typed.value).map(([of, text], index) => (
          <Field
            key={of}
            id={`new-text${of}`}
            label={of === only ? correct.text : correct.textIn(of)}
            error={isOfText && index === 0 ? problemText(words, failure) : undefined}
          >
            {(ids) => (
              <textarea
                {...ids}
                required
                rows={4}
                value={text}
                onInput={(event) => (typed.value = { ...typed.value, [of]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        {history.fields && <p class="hint">{correct.fields(history.fields)}</p>}
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
        {(hasBegun || isPersonal) && isAnother && failure === undefined && (
          <ChangeForeseen
            ask={(signal) => api.rehearseCorrection(key, wanted, signal)}
            say={(view) => correctionRehearsalWords(language.code.value, view)}
            sayWhy={correct.missing}
            of={JSON.stringify(wanted)}
          />
        )}
        {!hasBegun && <ScheduledReach history={history} text={isPersonal ? undefined : typed.value[only]} />}
        {!isOfText && <Failure error={failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isSame}>
            {correct.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
