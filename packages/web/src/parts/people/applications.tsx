/** People who ask to be put into the list: the office looks at each, and accepts or refuses. */
import type { ApplicationView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useApplicationWords } from '../../texts/applications.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'

export function Applications() {
  const { api, directory } = useStores()
  const said = useApplicationWords()
  const found = useSignal<readonly ApplicationView[] | undefined>(undefined)
  const loading = useAsync(async () => {
    found.value = (await api.applications()).applications
  })
  useEffect(() => {
    loading.run()
  }, [])
  const decided = () => {
    directory.forget()
    loading.run()
  }
  return (
    <section aria-labelledby="applications">
      <h2 id="applications">{said.title}</h2>
      <Failure error={loading.error.value} retry={loading.run} />
      {found.value?.length === 0 && <p>{said.none}</p>}
      {found.value && found.value.length > 0 && <p class="hint">{said.intro}</p>}
      {found.value?.map((each) => (
        <Application key={each.id} application={each} onDecided={decided} />
      ))}
    </section>
  )
}

function Application({ application, onDecided }: { application: ApplicationView; onDecided: () => void }) {
  const { api, notices } = useStores()
  const words = useWords()
  const said = useApplicationWords()
  const moment = useMoment()
  const { id, name, channel, address, wish, linkedTo, accepting, at, until } = application
  const group = useSignal(application.group ?? '')
  const answer = useSignal('')
  const accept = useAsync(async () => {
    await api.acceptApplication(id, { group: group.value })
    notices.announce(said.accepted(name))
    onDecided()
  })
  const refuse = useAsync(async () => {
    await api.refuseApplication(id, { answer: answer.value })
    notices.announce(said.refused(name))
    onDecided()
  })
  return (
    <section class="card" aria-labelledby={`application-${id}`}>
      <h3 id={`application-${id}`}>{name}</h3>
      <p>
        {said.by(words.channelName(channel), address)}
        {wish && `; ${said.wish(wish)}`}
      </p>
      <p class="hint">
        {said.at(moment(at))}, {said.until(moment(until))}
      </p>
      {accepting && <p>{said.accepting}</p>}
      {linkedTo ? (
        <p>{said.linkedTo(linkedTo)}</p>
      ) : (
        <Decision
          id={`group-of-${id}`}
          label={said.group}
          button={said.accept}
          about={name}
          value={group.value}
          onInput={(text) => (group.value = text)}
          act={accept}
        />
      )}
      {!accepting && (
        <Decision
          id={`answer-to-${id}`}
          label={said.answer}
          button={said.refuse}
          about={name}
          value={answer.value}
          onInput={(text) => (answer.value = text)}
          act={refuse}
        />
      )}
    </section>
  )
}

interface DecisionProps {
  readonly id: string
  readonly label: string
  readonly button: string
  readonly about: string
  readonly value: string
  readonly onInput: (text: string) => void
  readonly act: ReturnType<typeof useAsync<[]>>
}

function Decision({ id, label, button, about, value, onInput, act }: DecisionProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        act.run()
      }}
    >
      <Field id={id} label={label}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={300}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
      </Field>
      <Failure error={act.error.value} />
      <button type="submit" aria-disabled={act.running.value}>
        {button}
        <span class="visually-hidden"> {about}</span>
      </button>
    </form>
  )
}
