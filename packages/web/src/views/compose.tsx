import { textsIn } from '@courier-fleet/api-types/personal-text'
import { ApiError, type Client } from '@courier-fleet/client'
import { gettingIn } from '@courier-fleet/words'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { AudiencePicker } from '../parts/compose/audience-picker.tsx'
import { CheckMessage, checkedFrom } from '../parts/compose/check-message.tsx'
import { MoreFields } from '../parts/compose/more-fields.tsx'
import { PersonalFields } from '../parts/compose/personal-fields.tsx'
import { Phones } from '../parts/compose/phones.tsx'
import { Quota } from '../parts/compose/quota.tsx'
import { Reach } from '../parts/compose/reach.tsx'
import { TextField } from '../parts/compose/text-field.tsx'
import { WhenFields } from '../parts/compose/when-fields.tsx'
import { Failure } from '../parts/failure.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { fieldOf, problemText } from '../problem-text.ts'
import { isRefused } from '../refusal.ts'
import { type DraftContent, unsaidIn } from '../stores/draft.ts'
import type { Session } from '../stores/session.ts'
import { useStores, useWords } from '../stores.ts'
import { instantOf } from '../wall-time.ts'

const fields = ['to', 'text', 'subject', 'at', 'type']

export function Compose() {
  const { api, session, draft, rehearsal } = useStores()
  const words = useWords()
  const { content, attempt } = draft
  /** errors of fields left empty are shown once somebody has tried to send */
  const tried = useSignal(false)
  /** what was refused: what is written now may be right */
  const refused = useSignal(content.value)

  const checking = useSignal(false)
  const sending = useSending(tried, refused, checking)
  useEffect(rehearsal.follow, [])
  useEffect(() => readLimits(api, session), [])

  const failure = refused.value === content.value ? sending.error.value : undefined
  const field = fieldOf(failure)
  const errorAt = (name: string, isMissing: boolean, missingText: string) => {
    if (field === name) return problemText(words, failure)
    return tried.value && isMissing ? missingText : undefined
  }

  return (
    <form
      class="compose"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        sending.run()
      }}
    >
      {checking.value && rehearsal.view.value ? (
        <CheckMessage view={rehearsal.view.value} />
      ) : (
        <Fields errorAt={errorAt} isTried={tried.value} />
      )}
      {failure !== undefined && !fields.includes(field ?? '') && !(attempt.value && isTooSlow(failure)) && (
        <Failure error={failure} />
      )}
      {isSameAgain(failure) && <SendAnyway onSend={sending.run} />}
      {attempt.value && !sending.running.value && (
        <p class="note" role="alert">
          {words.compose.unanswered}
        </p>
      )}
      <div class="actions send-bar">
        <SendButton isSending={sending.running.value} />
        {checking.value && (
          <button type="button" onClick={() => (checking.value = false)}>
            {words.check.back}
          </button>
        )}
        <Quota />
      </div>
    </form>
  )
}

/** As it was written, where nobody is known who would read it. */
function textShown({ text, template }: DraftContent): string {
  return template ? (textsIn(template.text)[0] ?? '') : text
}

interface FieldsProps {
  readonly isTried: boolean
  readonly errorAt: (name: string, isMissing: boolean, missingText: string) => string | undefined
}

function Fields({ errorAt, isTried }: FieldsProps) {
  const { session, draft, rehearsal } = useStores()
  const { compose } = useWords()
  const { when, to, text, template, at } = draft.content.value
  const { preview } = rehearsal.view.value?.text ?? {}
  const isTimeless = when === 'later' && !instantOf(session.timeZone.value, at)
  return (
    <>
      <Title>{compose.title}</Title>
      <div class="columns">
        <div>
          <AudiencePicker error={errorAt('to', to.length === 0, compose.chooseFirst)} />
          {!template && <TextField error={errorAt('text', text.trim() === '', compose.writeFirst)} />}
          <PersonalFields isTried={isTried} />
          <WhenFields error={errorAt('at', isTimeless, compose.timeFirst)} />
          <MoreFields subjectError={errorAt('subject', false, '')} typeError={errorAt('type', false, '')} />
        </div>
        <div>
          <Reach />
          <Phones
            text={preview?.text ?? textShown(draft.content.value)}
            confirm={draft.content.value.confirm}
            view={rehearsal.view.value}
          />
        </div>
      </div>
    </>
  )
}

/**
 * Sends the draft unless a field is missing, and shows the message.
 * @param tried becomes true · @param refused becomes the content that could not be sent
 * @param checking becomes true instead of sending, where it is for many and was not checked yet; false when it was refused
 */
function useSending(tried: Signal<boolean>, refused: Signal<DraftContent>, checking: Signal<boolean>) {
  const { api, session, draft, rehearsal, router } = useStores()
  const zone = session.timeZone.value
  return useAsync(async () => {
    tried.value = true
    const missing = missingIn(draft.content.value, zone)
    if (missing) return document.getElementById(missing)?.focus()
    // what was attempted has been checked, and counted, before
    const reached = draft.attempt.value ? undefined : await rehearsal.answer()
    // later there may be contacts
    if (reached && draft.content.value.when === 'now' && gettingIn(reached) === 0)
      return document.getElementById('reach')?.focus()
    if (reached && reached.people >= checkedFrom && !checking.value) {
      checking.value = true
      return
    }
    const isFirstTry = draft.attempt.value === undefined
    const { idempotencyKey, message } = draft.begin(zone, reached?.sha256)
    try {
      const { key } = await api.send(message, { idempotencyKey })
      draft.accepted(key)
      router.go({ view: 'message', key })
    } catch (error) {
      refused.value = draft.content.value
      checking.value = false
      if (error instanceof ApiError && isRefused(error, isFirstTry)) {
        draft.refused()
        if (error.problem.code === 'audience-mismatch') rehearsal.again()
        if (error.problem.code === 'quota') readLimits(api, session)
      }
      throw error
    }
  })
}

/** @returns the id of the first field that is missing */
function missingIn(content: DraftContent, zone: string): string | undefined {
  const { to, text, template, when, at } = content
  if (to.length === 0) return 'find'
  if (!template && text.trim() === '') return 'text'
  const [unsaid] = unsaidIn(content)
  if (unsaid !== undefined) return `field-${unsaid}`
  if (when === 'later' && !instantOf(zone, at)) return 'at'
  return undefined
}

function readLimits(api: Client, session: Session): void {
  api.limits().then(session.setLimits, () => {}) // shown when known
}

function SendButton({ isSending }: { isSending: boolean }) {
  const { draft, rehearsal } = useStores()
  const words = useWords()
  const view = rehearsal.view.value
  const isForNow = draft.content.value.when === 'now'
  const isForNobody = view !== undefined && isForNow && gettingIn(view) === 0
  const audience = view && gettingIn(view) > 0 ? words.people(gettingIn(view)) : ''
  const label = isForNow ? words.compose.send(audience) : words.compose.schedule(audience)
  return (
    <button type="submit" class="primary" aria-disabled={isSending || isForNobody}>
      {isSending ? words.compose.sending : isForNobody ? words.compose.nobodyGets : label}
    </button>
  )
}

function SendAnyway({ onSend }: { onSend: () => void }) {
  const { draft } = useStores()
  const { compose } = useWords()
  return (
    <p>
      <button
        type="button"
        onClick={() => {
          draft.change({ isAgain: true })
          onSend()
        }}
      >
        {compose.sendAnyway}
      </button>
    </p>
  )
}

const isSameAgain = (failure: unknown) => failure instanceof ApiError && failure.problem.code === 'same-again'

/** Of a message that may have been accepted before it says too much: nothing was done by this try. */
const isTooSlow = (failure: unknown) => failure instanceof ApiError && failure.problem.code === 'too-slow'
