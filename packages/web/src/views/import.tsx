import type { ImportReportView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useStores, useWords } from '../stores.ts'

const counts = ['created', 'updated', 'unchanged', 'rejected'] as const

export function Import() {
  const { api, directory } = useStores()
  const words = useWords()
  const { importPage } = words
  const file = useSignal<File | undefined>(undefined)
  const tried = useSignal(false)
  const done = useSignal(0)
  const report = useSignal<ImportReportView | undefined>(undefined)
  const importing = useAsync(async () => {
    tried.value = true
    if (!file.value) return
    done.value = 0
    report.value = undefined
    report.value = await api.importRoster(file.value, {
      onProgress: (count) => {
        done.value = count
      },
    })
    directory.forget()
  })
  return (
    <>
      <Title>{importPage.title}</Title>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          importing.run()
        }}
      >
        <Field
          id="file"
          label={importPage.file}
          hint={importPage.hint}
          error={tried.value && !file.value ? importPage.chooseFirst : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,text/csv"
              onChange={(event) => (file.value = event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <button type="submit" class="primary" aria-disabled={importing.running.value}>
          {importPage.start}
        </button>
      </form>
      <p role="status">{importing.running.value && importPage.done(done.value)}</p>
      <Failure error={importing.error.value} />
      {report.value && <Report report={report.value} />}
    </>
  )
}

/** The API's own words are for those who write programs. */
function useLineWords(): (line: ImportReportView['lines'][number]) => string {
  const words = useWords()
  return ({ person, field, code }) => {
    const where = [person, field].filter(Boolean).join(', ')
    return [where, code && words.problem(code)].filter(Boolean).join(': ')
  }
}

function Report({ report }: { report: ImportReportView }) {
  const { importPage, number } = useWords()
  const inWords = useLineWords()
  const { lines } = report
  return (
    <section class="card" aria-labelledby="report">
      <h2 id="report">{importPage.report}</h2>
      <ul role="status">
        {counts.map((each) => (
          <li key={each}>
            {importPage[each]}: {number(report[each])}
          </li>
        ))}
      </ul>
      {lines.length === 0 ? (
        <p>{importPage.allWell}</p>
      ) : (
        <WindowedList
          label={importPage.what}
          count={lines.length}
          row={(index) => {
            const line = lines[index]
            if (!line) return null
            return (
              <>
                <strong>
                  {importPage.line} {line.line}: {importPage[line.status]}
                </strong>
                <span class="hint">{inWords(line)}</span>
              </>
            )
          }}
        />
      )}
    </section>
  )
}
