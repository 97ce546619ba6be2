import type { ImportReportView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { ImportMistakes } from '../parts/people/import-mistakes.tsx'
import { ImportNames } from '../parts/people/import-names.tsx'
import { LoadedLists } from '../parts/people/loaded-lists.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { useStores, useWords } from '../stores.ts'
import { useImportWords } from '../texts/import.ts'

const counts = ['created', 'updated', 'unchanged', 'removed', 'rejected'] as const

/** What was looked at: only that is loaded. */
interface Looked {
  readonly file: File
  readonly removes: boolean
  readonly report: ImportReportView
}

export function Import() {
  const { api, directory } = useStores()
  const said = useImportWords()
  const file = useSignal<File | undefined>(undefined)
  const removes = useSignal(false)
  const tried = useSignal(false)
  const lines = useSignal(0)
  const looked = useSignal<Looked | undefined>(undefined)
  const loaded = useSignal<ImportReportView | undefined>(undefined)
  const onProgress = (count: number) => {
    lines.value = count
  }
  const forget = () => {
    lines.value = 0
    looked.value = undefined
    loaded.value = undefined
  }
  const checking = useAsync(async () => {
    tried.value = true
    const chosen = { file: file.value, removes: removes.value }
    if (!chosen.file) return
    forget()
    const leavers = chosen.removes ? 'remove' : undefined
    const report = await api.importRoster(chosen.file, { dryRun: true, allLines: true, leavers, onProgress })
    looked.value = { file: chosen.file, removes: chosen.removes, report }
  })
  const loading = useAsync(async ({ file, removes, report }: Looked) => {
    lines.value = 0
    loaded.value = await api.importRoster(file, {
      version: report.version,
      ...(removes && { leavers: 'remove' as const, leaversConfirmed: report.leavers.length }),
      onProgress,
    })
    looked.value = undefined
    directory.forget()
  })
  const isBusy = checking.running.value || loading.running.value
  return (
    <>
      <Title>{said.title}</Title>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) checking.run()
        }}
      >
        <Field
          id="file"
          label={said.file}
          hint={said.hint}
          error={tried.value && !file.value ? said.chooseFirst : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,text/csv"
              onChange={(event) => {
                forget()
                file.value = event.currentTarget.files?.[0]
              }}
            />
          )}
        </Field>
        <p>
          <label>
            <input
              type="checkbox"
              checked={removes.value}
              aria-describedby="remove-hint"
              onChange={(event) => {
                forget()
                removes.value = event.currentTarget.checked
              }}
            />{' '}
            {said.removeLeavers}
          </label>
          <br />
          <span class="hint" id="remove-hint">
            {said.removeHint}
          </span>
        </p>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {said.check}
        </button>
      </form>
      <p role="status">{isBusy && said.done(lines.value)}</p>
      <Failure error={checking.error.value} />
      {looked.value && (
        <LookedAt key={looked.value.report.version} looked={looked.value} isBusy={isBusy} load={loading.run} />
      )}
      <Failure error={loading.error.value} />
      {loaded.value && (
        <section class="card" aria-labelledby="loaded">
          <h2 id="loaded">{said.loaded}</h2>
          <Counts report={loaded.value} />
        </section>
      )}
      <LoadedLists since={loaded.value} />
    </>
  )
}

function Counts({ report }: { report: ImportReportView }) {
  const { number } = useWords()
  const said = useImportWords()
  return (
    <div role="status">
      <ul>
        {counts.map((each) => (
          <li key={each}>
            {said.counts[each]}: {number(report[each])}
          </li>
        ))}
      </ul>
    </div>
  )
}

function LookedAt(props: { looked: Looked; isBusy: boolean; load: (looked: Looked) => void }) {
  const { looked, isBusy, load } = props
  const said = useImportWords()
  const { report } = looked
  const isConfirmed = useSignal(report.leavers.length === 0)
  const mayLoad = isConfirmed.value && !isBusy
  const named = (status: 'created' | 'updated') =>
    report.lines.flatMap((line) => (line.status === status ? [line.name ?? line.person ?? ''] : []))
  return (
    <section class="card" aria-labelledby="looked">
      <h2 id="looked">{said.outcome}</h2>
      <p>{said.nothingYet}</p>
      <Counts report={report} />
      <ImportMistakes report={report} />
      <ImportNames title={said.who.created} names={named('created')} />
      <ImportNames title={said.who.updated} names={named('updated')} />
      <ImportNames title={said.groups} names={report.groups.map(({ name }) => name)} />
      <ImportNames title={said.leavers} names={report.leavers.map(({ name }) => name)} isOpen />
      {report.leavers.length > 0 && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={isConfirmed.value}
              onChange={(event) => (isConfirmed.value = event.currentTarget.checked)}
            />{' '}
            {said.confirm(report.leavers.length)}
          </label>
        </p>
      )}
      <button type="button" class="primary" aria-disabled={!mayLoad} onClick={() => mayLoad && load(looked)}>
        {said.load}
      </button>
    </section>
  )
}
