import type { SignInAnswer, SignInInput } from '@courier-fleet/api-types'
import { channelOf, channels } from '@courier-fleet/channels'
import { useSignal } from '@preact/signals'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { useMoment } from '../parts/use-moment.ts'
import { fieldOf, problemText } from '../problem-text.ts'
import { useStores, useWords } from '../stores.ts'
import type { Words } from '../texts/en.ts'
import { type SignInWords, useSignInWords } from '../texts/sign-in.ts'

/** by their own id, or by an address on one of the channels */
const ofPeople = channels.filter(({ isOpenToOthers }) => !isOpenToOthers)
const ways: readonly string[] = ['person', ...ofPeople.map(({ name }) => name)]

interface Asked {
  readonly who: SignInInput
  readonly answer: SignInAnswer
}

function wordsOf({ channels }: Words, said: SignInWords, way: string): { by: string; name: string; hint: string } {
  const channel = channels[way]
  return channel ? { by: channel.byAddress, name: channel.address, hint: channel.hint } : said.person
}

const whoOf = (way: string, name: string): SignInInput =>
  way === 'person' ? { person: name } : { contact: { channel: way, address: name } }

export function SignIn() {
  const { session } = useStores()
  const said = useSignInWords()
  const asked = useSignal<Asked | undefined>(undefined)
  return (
    <div class="narrow">
      <Title>{said.title}</Title>
      {session.ended.value && <p class="note">{said.ended}</p>}
      {asked.value ? (
        <CodeForm asked={asked.value} onBack={() => (asked.value = undefined)} />
      ) : (
        <WhoForm onAsked={(next) => (asked.value = next)} />
      )}
      <Sandbox />
    </div>
  )
}

function WhoForm({ onAsked }: { onAsked: (asked: Asked) => void }) {
  const { api } = useStores()
  const words = useWords()
  const said = useSignInWords()
  const way = useSignal('person')
  const name = useSignal('')
  const asking = useAsync(async () => {
    const who = whoOf(way.value, name.value.trim())
    onAsked({ who, answer: await api.requestCode(who) })
  })
  const atField = ['person', 'contact', 'body'].includes(fieldOf(asking.error.value) ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        asking.run()
      }}
    >
      <Field id="way" label={said.by}>
        {(ids) => (
          <select {...ids} value={way.value} onChange={(event) => (way.value = event.currentTarget.value)}>
            {ways.map((each) => (
              <option key={each} value={each}>
                {wordsOf(words, said, each).by}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        id="name"
        label={wordsOf(words, said, way.value).name}
        hint={wordsOf(words, said, way.value).hint}
        error={atField ? problemText(words, asking.error.value) : undefined}
      >
        {(ids) => (
          <input
            {...ids}
            required
            autocomplete="username"
            autocapitalize="none"
            inputMode={way.value === 'person' ? 'text' : channelOf(way.value).address.keyboard}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        )}
      </Field>
      {!atField && <Failure error={asking.error.value} />}
      <button type="submit" class="primary" aria-disabled={asking.running.value}>
        {said.send}
      </button>
    </form>
  )
}

function CodeForm({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { api, session } = useStores()
  const words = useWords()
  const said = useSignInWords()
  const moment = useMoment()
  const code = useSignal('')
  const opening = useAsync(() => session.open(api, { ...asked.who, code: code.value }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        opening.run()
      }}
    >
      <p role="status">{said.sent(moment(asked.answer.expiresAt))}</p>
      <Field
        id="code"
        label={said.code}
        error={opening.error.value === undefined ? undefined : problemText(words, opening.error.value)}
      >
        {(ids) => (
          <input
            {...ids}
            required
            autocomplete="one-time-code"
            inputMode="numeric"
            // the form appears where the one before was: whoever typed there types on
            ref={(input) => input?.focus()}
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={opening.running.value}>
          {said.open}
        </button>
        <button type="button" onClick={onBack}>
          {said.other}
        </button>
      </div>
    </form>
  )
}

/** Where the code appears when nothing is really sent. */
function Sandbox() {
  const { phonesPageUrl } = useStores()
  const said = useSignInWords()
  if (!phonesPageUrl) return null
  return (
    <p class="note">
      {said.sandbox}{' '}
      <a href={phonesPageUrl} target="_blank" rel="noreferrer">
        {said.phonesPage}
      </a>
      . {said.demo}
    </p>
  )
}
