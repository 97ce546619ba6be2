import type { TopicView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useTopicWords } from '../../texts/topic-dialog.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  /** absent: a new one */
  readonly topic: TopicView | undefined
  readonly onClose: () => void
  /** it is another now, or gone */
  readonly onChanged: () => void
}

/** For operators: what a topic is called, who may write to it, and whether people join by themselves. */
export function TopicDialog({ topic, onClose, onChanged }: Props) {
  const { api, language } = useStores()
  const words = useWords()
  const { topics } = words
  const said = useTopicWords()
  const fields = {
    id: useSignal(topic?.id ?? ''),
    ru: useSignal(topic?.name.ru ?? ''),
    en: useSignal(topic?.name.en ?? ''),
    senders: useSignal(topic?.senders.join(', ') ?? ''),
  }
  const open = useSignal(topic?.open ?? true)
  const saving = useAsync(async () => {
    const senders = fields.senders.value.split(/[\s,;]+/).filter(Boolean)
    const name = { ru: fields.ru.value, en: fields.en.value }
    await api.putTopic(fields.id.value.trim(), { name, senders, open: open.value })
    onChanged()
  })
  const asked = useSignal(false)
  const removing = useAsync(async () => {
    await api.deleteTopic(fields.id.value)
    onChanged()
  })
  const hints = { id: said.idHint, ru: undefined, en: undefined, senders: said.sendersHint }
  const name = topic?.name[language.code.value]
  if (topic && asked.value)
    return (
      <ConfirmDialog title={`${said.remove}: ${name}`} yes={said.remove} act={removing} onClose={onClose}>
        <p>{said.removal(words.people(topic.size ?? 0))}</p>
      </ConfirmDialog>
    )
  return (
    <Dialog title={name === undefined ? topics.add : topics.edit(name)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.run()
        }}
      >
        {(['id', 'ru', 'en', 'senders'] as const).map((name) => (
          <Field key={name} id={`topic-${name}`} label={said.fields[name]} hint={hints[name]}>
            {(ids) => (
              <input
                {...ids}
                autocomplete="off"
                required={name !== 'senders'}
                readOnly={name === 'id' && topic !== undefined}
                value={fields[name].value}
                onInput={(event) => (fields[name].value = event.currentTarget.value)}
              />
            )}
          </Field>
        ))}
        <label>
          <input
            type="checkbox"
            checked={open.value}
            onChange={(event) => (open.value = event.currentTarget.checked)}
          />{' '}
          {said.open}
        </label>
        <Failure error={saving.error.value} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={saving.running.value}>
            {said.save}
          </button>
          {topic && (
            <button type="button" class="danger" onClick={() => (asked.value = true)}>
              {said.remove}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
