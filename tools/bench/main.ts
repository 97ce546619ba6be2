import { readArguments, UsageError } from './arguments.ts'
import { cases } from './cases/index.ts'
import { isVoid } from './figures.ts'
import { writeResults } from './report/results.ts'
import { formatTable } from './report/table.ts'
import { jsonOf, runCases } from './run-cases.ts'
import { startServer } from './server/server.ts'

const startedAt = Date.now()
const say = (text: string) => {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.error(`${String(seconds).padStart(5)} s  ${text}`)
}

async function main(given: readonly string[]): Promise<void> {
  const {
    cases: names,
    json,
    runs,
    scale,
  } = readArguments(
    given,
    cases.map(({ name }) => name),
  )
  const server = await startServer(say)
  try {
    const chosen = cases.filter(({ name }) => names.includes(name))
    const results = await runCases({ cases: chosen, server, runs, scale, say })
    const figures = Object.values(results).flatMap((result) => result.figures)
    const remarks = Object.values(results).flatMap((result) => result.remarks)
    console.log(json ? jsonOf(figures) : formatTable(figures))
    if (!json) for (const { heading, text } of remarks) console.log(`${heading}\n\n${text}\n`)
    if (scale === 1) writeResults(results, cases)
    if (figures.some(isVoid)) process.exitCode = 1
  } finally {
    await server.stop()
  }
}

// whoever was started is ended at exit, which a signal by itself would not let happen
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
