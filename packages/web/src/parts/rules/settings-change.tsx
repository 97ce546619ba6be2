import type { SettingDifference, SettingsChanged, SettingsConcern, SettingsPatchInput } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { concernWords } from '@courier-fleet/words/concern-words'
import { differenceWords } from '@courier-fleet/words/setting-words'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useStores, useWords } from '../../stores.ts'
import { useSettingsChangeWords } from '../../texts/settings-change.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useWeekdayMoment } from '../use-moment.ts'

interface Props {
  readonly label: string
  /** of the settings that were read */
  readonly version: number
  /** undefined while something in the fields is no value */
  readonly patch: SettingsPatchInput | undefined
  /** what is to be known before this very change is made */
  readonly warnings?: readonly string[]
  /** whom it concerns besides; absent where the service knows all of them */
  readonly concerned?: string | undefined
  /** Reads the settings again: they were changed, by this form or by somebody else. */
  readonly read: () => Promise<void>
  /** What was typed is saved, or undone. */
  readonly onChanged: () => void
  readonly children: ComponentChildren
}

interface Done {
  readonly text: string
  /** the version that had what was before */
  readonly undo?: number
}

/** Fields of settings: what changes is shown first, with whom it concerns; one more press saves it, and another undoes it. */
export function SettingsChange(props: Props) {
  const { label, version, patch, warnings = [], concerned, read, onChanged, children } = props
  const { api } = useStores()
  const said = useSettingsChangeWords()
  const foreseen = useSignal<{ of: string; changed: SettingsChanged } | undefined>(undefined)
  const done = useSignal<Done | undefined>(undefined)
  // what went wrong with settings that were read again since is over
  const tried = useSignal(version)
  const of = JSON.stringify([version, patch])
  const changed = foreseen.value?.of === of ? foreseen.value.changed : undefined
  const isReady = changed !== undefined && changed.changes.length > 0

  async function finish(next: Done) {
    await read()
    onChanged()
    foreseen.value = undefined
    done.value = next
  }
  const saving = useAsync(async (wanted: SettingsPatchInput) => {
    done.value = undefined
    tried.value = version
    if (isReady) {
      const made = await api.changeSettings(version, wanted)
      await finish({ text: said.saved(made.version), undo: version })
    } else foreseen.value = { of, changed: await api.changeSettings(version, wanted, { dryRun: true }) }
  })
  const undoing = useAsync(async (former: number) => {
    tried.value = version
    const made = await api.restoreSettings(version, former)
    await finish({ text: said.undone(former, made.version) })
  })
  const undo = done.value?.undo
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (patch) saving.run(patch)
      }}
    >
      {children}
      {tried.value === version && <Refused error={saving.error.value ?? undoing.error.value} read={read} />}
      {changed && <Foreseen changed={changed} warnings={warnings} concerned={concerned} />}
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={saving.running.value}>
          {isReady ? said.save : said.check}
        </button>
        {undo !== undefined && (
          <button type="button" aria-disabled={undoing.running.value} onClick={() => undoing.run(undo)}>
            {said.undo(undo)}
          </button>
        )}
      </p>
      <p role="status">{done.value?.text}</p>
    </form>
  )
}

/** What the service says is wrong with a value it says to those who write programs, in English. */
function Refused({ error, read }: { error: unknown } & Pick<Props, 'read'>) {
  const said = useSettingsChangeWords()
  const reading = useAsync(read)
  if (!(error instanceof ApiError)) return <Failure error={error} />
  const { code, errors = [] } = error.problem
  if (code === 'stale-version')
    return (
      <div class="failure" role="alert">
        <p>{said.stale}</p>
        <button type="button" onClick={() => reading.run()}>
          {said.again}
        </button>
      </div>
    )
  return (
    <>
      <Failure error={error} />
      {errors.map(({ field, message }) => (
        <p key={field} lang="en" class="error">
          {field}: {message}
        </p>
      ))}
    </>
  )
}

interface ForeseenProps {
  readonly changed: SettingsChanged
  readonly warnings: readonly string[]
  readonly concerned: string | undefined
}

function Foreseen({ changed: { changes, concerns }, warnings, concerned }: ForeseenProps) {
  const said = useSettingsChangeWords()
  return (
    <div class="note" role="status">
      <p>
        <strong>{changes.length === 0 ? said.nothing : said.would}</strong>
      </p>
      {changes.length > 0 && (
        <>
          <Differences changes={changes} />
          {warnings.map((warning) => (
            <p key={warning} class="warn">
              {warning}
            </p>
          ))}
          <Concerned concerns={concerns} besides={concerned} />
        </>
      )}
    </div>
  )
}

function Differences({ changes }: { changes: readonly SettingDifference[] }) {
  const { language } = useStores()
  const { roles } = useWords()
  const said = useSettingsChangeWords()
  return (
    <ul class="sessions">
      {changes.map((change) => {
        const { name, before, after } = differenceWords(language.code.value, change, (role) => roles[role] ?? role)
        return (
          <li key={change.setting}>
            <span>
              {name}: <strong>{after}</strong>
            </span>
            <span class="hint">{said.before(before)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Concerned({ concerns, besides }: { concerns: readonly SettingsConcern[]; besides: string | undefined }) {
  const { language } = useStores()
  const said = useSettingsChangeWords()
  const moment = useWeekdayMoment()
  const sentences = concernWords(language.code.value, concerns, moment)
  if (besides === undefined && sentences.length === 0) return <p>{said.nobody}</p>
  return (
    <>
      {[...(besides === undefined ? [] : [besides]), ...sentences].map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
