import type { RoleInput, RoleView } from '@courier-fleet/api-types'
import { roles } from '@courier-fleet/api-types/roles'
import { useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useRoleTexts } from '../../texts/roles.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'
import { Concerns } from './concerns.tsx'
import { useForeseen } from './use-foreseen.ts'

interface Props {
  /** undefined: a new one */
  readonly role: RoleView | undefined
  /** of the settings that were read */
  readonly version: number
  readonly onClose: () => void
  /** @param undo from which version of the settings to which */
  readonly onDone: (text: string, undo?: readonly [now: number, before: number]) => void
}

interface Draft extends Omit<RoleInput, 'quota'> {
  readonly id: string
  /** as it is typed */
  readonly quota: string
}

const blank: Draft = { id: '', name: { ru: '', en: '' }, rights: 'trainer', quota: '4' }
const draftOf = ({ id, name, rights, quota }: RoleView): Draft => ({ id, name, rights, quota: `${quota ?? ''}` })
const isQuota = (text: string) => /^\d{0,9}$/.test(text.trim())
const quotaIn = (text: string) => (text.trim() === '' ? null : Number(text))

/** A role: of the five only its quota, of others all; beside each what it was. */
export function RoleDialog({ role, version, onClose, onDone }: Props) {
  const { api, language } = useStores()
  const said = useRoleTexts()
  const draft = useSignal<Draft>(role ? draftOf(role) : blank)
  const change = (changes: Partial<Draft>) => (draft.value = { ...draft.value, ...changes })
  const put = ({ id, quota, ...body }: Draft, dryRun: boolean) =>
    api.putRole(id, { ...body, quota: quotaIn(quota) }, { version, dryRun })
  const saving = useForeseen<Draft>({
    foresee: (wanted) => put(wanted, true),
    async make(wanted) {
      const made = await put(wanted, false)
      onDone(said.saved(made.version), made.outcome === 'unchanged' ? undefined : [made.version, version])
    },
  })
  const removing = useAsync(async (id: string) => {
    await api.deleteRole(id, { version })
    onDone(said.removed, [version + 1, version])
  })
  const concerns = saving.concernsOf(draft.value)
  return (
    <Dialog title={role ? said.of(role.name[language.code.value]) : said.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isQuota(draft.value.quota)) saving.press(draft.value)
        }}
      >
        {!role && (
          <Field id="role-id" label={said.id} hint={said.idHint}>
            {(ids) => (
              <input
                {...ids}
                required
                pattern={'[a-z][a-z0-9\\-]{0,31}'}
                value={draft.value.id}
                onInput={(event) => change({ id: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
        {!role?.builtIn && <OwnFields role={role} draft={draft.value} onChange={change} />}
        <QuotaField role={role} text={draft.value.quota} onChange={(quota) => change({ quota })} />
        <Failure error={saving.error.value ?? removing.error.value} />
        <Concerns concerns={concerns} />
        <div class="actions">
          <button type="submit" class="primary">
            {concerns ? said.saveYes : said.save}
          </button>
          {role && !role.builtIn && (
            <button type="button" class="danger" onClick={() => removing.run(role.id)}>
              {said.remove}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

interface OwnProps {
  readonly role: RoleView | undefined
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
}

function OwnFields({ role, draft, onChange }: OwnProps) {
  const roleNames = useRoleNames()
  const said = useRoleTexts()
  return (
    <>
      {(['ru', 'en'] as const).map((language) => (
        <Field
          key={language}
          id={`role-${language}`}
          label={said.nameIn[language]}
          hint={role && role.name[language] !== draft.name[language] ? said.was(role.name[language]) : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              required
              maxLength={60}
              value={draft.name[language]}
              onInput={(event) => onChange({ name: { ...draft.name, [language]: event.currentTarget.value } })}
            />
          )}
        </Field>
      ))}
      <Field
        id="role-rights"
        label={said.rights}
        hint={role && role.rights !== draft.rights ? said.was(roleNames.nameOf(role.rights)) : undefined}
      >
        {(ids) => (
          <select
            {...ids}
            value={draft.rights}
            onChange={(event) => onChange({ rights: event.currentTarget.value as Draft['rights'] })}
          >
            {roles
              .filter((rights) => rights !== 'admin')
              .map((rights) => (
                <option key={rights} value={rights}>
                  {roleNames.nameOf(rights)}
                </option>
              ))}
          </select>
        )}
      </Field>
    </>
  )
}

interface QuotaProps {
  readonly role: RoleView | undefined
  readonly text: string
  readonly onChange: (text: string) => void
}

function QuotaField({ role, text, onChange }: QuotaProps) {
  const said = useRoleTexts()
  const isOther = role !== undefined && `${role.quota ?? ''}` !== text.trim()
  const hint = isOther ? said.was(role.quota === null ? said.noLimit : `${role.quota}`) : said.quotaHint
  return (
    <Field id="role-quota" label={said.quota} hint={hint} error={isQuota(text) ? undefined : said.wrongQuota}>
      {(ids) => (
        <input
          {...ids}
          inputMode="numeric"
          autocomplete="off"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
