import type { MessageType, SettingsView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { FollowedSettingsUse } from '../parts/rules/followed-settings-use.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { useStores, useWords } from '../stores.ts'
import { useRulesWords } from '../texts/rules.ts'

// what stands below the types, and what is opened, does not hold them up
const TypeDialog = later(async () => (await import('../parts/rules/type-dialog.tsx')).TypeDialog)
const RulesBelow = later(async () => (await import('../parts/rules/rules-below.tsx')).RulesBelow)

/** The rules about people: of each type of message, and of all of them. For operators. */
export function Rules() {
  const { api, messageTypes } = useStores()
  const words = useWords()
  const rules = useRulesWords()
  const view = useSignal<SettingsView | undefined>(undefined)
  const loading = useAsync(async () => {
    const [settings] = await Promise.all([api.settings(), messageTypes.load()])
    view.value = settings
  })
  useEffect(() => {
    loading.run()
  }, [])
  return (
    <>
      <Title>{rules.title}</Title>
      <p>{rules.intro}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      {!view.value && loading.running.value && <p>{words.loading}</p>}
      {view.value && (
        <>
          <FollowedSettingsUse key={view.value.version} first={view.value.use} />
          <Types onChanged={loading.run} />
          <RulesBelow view={view.value} onChanged={loading.run} />
        </>
      )}
    </>
  )
}

function Types({ onChanged }: { onChanged: () => void }) {
  const { messageTypes, language } = useStores()
  const rules = useRulesWords()
  const open = useSignal<{ type: MessageType | undefined } | undefined>(undefined)
  const close = () => (open.value = undefined)
  return (
    <section aria-labelledby="types">
      <h2 id="types">{rules.types}</h2>
      <ul class="groups">
        {messageTypes.all.value
          ?.filter(({ id }) => id !== 'service')
          .map((type) => (
            <li key={type.id}>
              <button type="button" class="link" onClick={() => (open.value = { type })}>
                {type.name[language.code.value]}
              </button>
              <span class="hint">{rules.summary(type)}</span>
            </li>
          ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={() => (open.value = { type: undefined })}>
          {rules.newType}
        </button>
      </p>
      {open.value && (
        <TypeDialog
          type={open.value.type}
          onClose={close}
          onDone={() => {
            close()
            onChanged()
          }}
        />
      )}
    </section>
  )
}
