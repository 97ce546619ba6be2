import type { FleetSettings } from '@courier-fleet/api-types'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

type Exams = FleetSettings['exams']
type Exam = Exams[number]

interface Props {
  readonly exams: Exams
  readonly onChange: (exams: Exams) => void
}

const day = /^\d{4}-\d{2}-\d{2}$/

/** When which group sits an exam: whole days, or from one time of day to another where somebody has set that. */
export function ExamsField({ exams, onChange }: Props) {
  const { directory } = useStores()
  const rules = useRulesWords()
  const loading = useAsync(directory.load)
  useEffect(() => {
    if (directory.groups.value === undefined) loading.run()
  }, [])
  const groups = directory.groups.value ?? []
  const change = (index: number, changes: Partial<Exam>) =>
    onChange(exams.map((exam, at) => (at === index ? { ...exam, ...changes } : exam)))
  const today = new Date().toISOString().slice(0, 10)
  return (
    <fieldset class="choices">
      <legend>{rules.exams}</legend>
      <Failure error={loading.error.value} retry={loading.run} />
      {exams.length === 0 && <p class="hint">{rules.noExams}</p>}
      {exams.map((exam, index) => (
        <div key={index} class="rule-row">
          <select
            aria-label={rules.examGroup}
            value={exam.group}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
          >
            {!groups.some(({ id }) => id === exam.group) && <option value={exam.group}>{exam.group}</option>}
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type={day.test(exam[end]) ? 'date' : 'datetime-local'}
              required
              aria-label={rules.examEnds[end]}
              value={exam[end]}
              onChange={(event) => change(index, { [end]: event.currentTarget.value })}
            />
          ))}
          <button type="button" onClick={() => onChange(exams.filter((_, at) => at !== index))}>
            {rules.remove}
          </button>
        </div>
      ))}
      {groups.length > 0 && (
        <button
          type="button"
          onClick={() => onChange([...exams, { group: groups[0]?.id ?? '', from: today, to: today }])}
        >
          {rules.addExam}
        </button>
      )}
    </fieldset>
  )
}
