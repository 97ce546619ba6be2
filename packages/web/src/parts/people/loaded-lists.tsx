/** Lists that were loaded in the last week. One is taken back once it was shown what that does. */
import type { ImportList, TakeBackReportView } from '@courier-fleet/api-types'
import { takeBackWithProgress } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useTakeBackWords } from '../../texts/take-back.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'
import { ImportNames } from './import-names.tsx'

type Loaded = ImportList['imports'][number]
type Line = TakeBackReportView['people'][number]

const counts = ['removed', 'restored', 'returned', 'refused'] as const

/** @param since changes when a list was loaded */
export function LoadedLists({ since }: { since: unknown }) {
  const { api, directory } = useStores()
  const said = useTakeBackWords()
  const moment = useMoment()
  const { number } = useWords()
  const lists = useSignal<ImportList['imports']>([])
  const looked = useSignal<TakeBackReportView | undefined>(undefined)
  const done = useSignal<TakeBackReportView | undefined>(undefined)
  const progress = useSignal<{ readonly people: number; readonly of: number } | undefined>(undefined)
  const loading = useAsync(async () => {
    lists.value = (await api.imports()).imports
  })
  const looking = useAsync(async (id: string) => {
    done.value = undefined
    looked.value = await api.takeImportBack(id)
  })
  const taking = useAsync(async ({ id, version }: TakeBackReportView) => {
    progress.value = undefined
    const onProgress = (people: number, of: number) => {
      progress.value = { people, of }
    }
    done.value = await takeBackWithProgress(api, id, version, onProgress)
    looked.value = undefined
    directory.forget()
    await loading.run()
  })
  useEffect(() => {
    looked.value = undefined
    done.value = undefined
    loading.run()
  }, [since])
  const isBusy = looking.running.value || taking.running.value
  const press = (work: () => void) => !isBusy && work()
  if (lists.value.length === 0) return <Failure error={loading.error.value} retry={loading.run} />
  return (
    <section aria-labelledby="lists">
      <h2 id="lists">{said.title}</h2>
      <p class="hint">{said.hint}</p>
      <Failure error={loading.error.value ?? looking.error.value} />
      <ul class="sessions">
        {lists.value.map((list) => (
          <li key={list.id}>
            <span>{moment(list.at)}</span>
            <span class="hint">{said.summary(list)}</span>
            <ListAction
              list={list}
              isBusy={isBusy}
              at={moment(list.at)}
              look={() => press(() => looking.run(list.id))}
            />
          </li>
        ))}
      </ul>
      {looked.value && (
        <section class="card" aria-labelledby="taken">
          <h3 id="taken">{said.outcome}</h3>
          <p>{said.nothingYet}</p>
          <Report report={looked.value} />
          <Failure error={taking.error.value} />
          <button
            type="button"
            class="primary"
            aria-disabled={isBusy}
            onClick={() => press(() => taking.run(looked.value as TakeBackReportView))}
          >
            {said.takeBack}
          </button>
          {taking.running.value && progress.value && (
            <p role="status">{said.soFar(number(progress.value.people), number(progress.value.of))}</p>
          )}
        </section>
      )}
      {done.value && (
        <section class="card" aria-labelledby="taken">
          <h3 id="taken">{said.done}</h3>
          <Report report={done.value} />
        </section>
      )}
    </section>
  )
}

function ListAction(props: { list: Loaded; at: string; isBusy: boolean; look: () => void }) {
  const { list, at, isBusy, look } = props
  const said = useTakeBackWords()
  if (list.left === 0 && list.takenBackAt) return <span class="hint">{said.isTakenBack}</span>
  return (
    <button type="button" aria-disabled={isBusy} aria-label={said.lookOf(at)} onClick={look}>
      {said.look}
    </button>
  )
}

function Report({ report }: { report: TakeBackReportView }) {
  const { number } = useWords()
  const said = useTakeBackWords()
  const names = (isMeant: (line: Line) => boolean) => report.people.filter(isMeant).map(({ name }) => name)
  const refused = report.people.flatMap(({ name, id, why }) => (why ? [`${name} (${id}): ${said.why[why]}`] : []))
  return (
    <>
      <div role="status">
        <ul>
          {counts.map((each) => (
            <li key={each}>
              {said.counts[each]}: {number(report[each])}
            </li>
          ))}
        </ul>
      </div>
      {(['removed', 'restored', 'returned'] as const).map((what) => (
        <ImportNames
          key={what}
          title={said.who[what]}
          names={names((line) => line.what === what && line.why === undefined)}
        />
      ))}
      <ImportNames title={said.refused} names={refused} isOpen />
      <ImportNames title={said.groups} names={report.groups.map(({ name }) => name)} />
      <ImportNames title={said.staying} names={report.staying.map(({ name }) => name)} />
      <ImportNames title={said.used} names={names(({ isUsed }) => isUsed === true)} />
      {report.returned > 0 && <p>{said.lost}</p>}
    </>
  )
}
