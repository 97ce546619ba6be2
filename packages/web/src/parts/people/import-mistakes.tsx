import type { ImportReportView } from '@courier-fleet/api-types'
import { useWords } from '../../stores.ts'
import { useImportWords } from '../../texts/import.ts'

type Line = ImportReportView['lines'][number]

/** so many are mended before the file is looked at again */
const shown = 100

/** The lines that cannot be taken, as they are written, with what is wrong below the cell that it is about. */
export function ImportMistakes({ report }: { report: ImportReportView }) {
  const { number } = useWords()
  const said = useImportWords()
  const rejected = report.lines.filter(({ status }) => status === 'rejected')
  if (rejected.length === 0) return <p>{said.allWell}</p>
  return (
    <>
      <h3 id="mistakes">{said.mistakes}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="wide" aria-labelledby="mistakes" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{said.line}</th>
              {report.columns.map((column, index) => (
                <th scope="col" key={`${index} ${column}`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rejected.slice(0, shown).map((line) => (
              <Row key={line.line} line={line} width={report.columns.length} />
            ))}
          </tbody>
        </table>
      </section>
      {rejected.length > shown && <p>{said.more(number(rejected.length - shown))}</p>}
    </>
  )
}

/** Of the whole line is said in front of it. */
function Row({ line, width }: { line: Line; width: number }) {
  return (
    <tr>
      <th scope="row">
        {line.line}
        <Mistakes line={line} column={undefined} />
      </th>
      {Array.from({ length: width }, (_, index) => index + 1).map((column) => (
        <td key={column} class={line.mistakes?.some((mistake) => mistake.column === column) ? 'mistaken' : undefined}>
          {line.cells?.[column - 1]}
          <Mistakes line={line} column={column} />
        </td>
      ))}
    </tr>
  )
}

function Mistakes({ line, column }: { line: Line; column: number | undefined }) {
  const words = useWords()
  const { right } = useImportWords()
  const own = line.mistakes?.filter((mistake) => mistake.column === column) ?? []
  return own.map(({ code, field = '', meets }) => {
    // whatever else is wrong, it is not the form of it
    const expected = code === 'bad-field' || code === 'bad-address' ? right[field] : undefined
    return (
      <span key={code} class="error">
        {[words.problem(code), expected, meets && `${meets.name} (${meets.id})`].filter(Boolean).join(' ')}
      </span>
    )
  })
}
