/** The figures that processes without a port have summed in Redis, as Prometheus reads them. */
import { type FigureKind, type FigureName, figureKinds, type Sums } from '@courier-fleet/store'

const escaped = (value: string) => value.replace(/["\\\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))

const labelled = (names: readonly string[], values: readonly (string | number)[]) =>
  names.length === 0 ? '' : `{${names.map((name, at) => `${name}="${escaped(String(values[at] ?? ''))}"`).join(',')}}`

export function figuresText(figures: ReadonlyMap<FigureName, Sums>): string {
  return (Object.keys(figureKinds) as FigureName[])
    .flatMap((name) => {
      const sums = figures.get(name) ?? new Map()
      return 'bounds' in figureKinds[name] ? histogram(name, sums) : counter(name, sums)
    })
    .join('\n')
}

function counter(name: FigureName, sums: Sums): string[] {
  const { help, labels } = figureKinds[name]
  const metric = `fleet_${name}_total`
  const lines = [...sums].map(([values, sum]) => `${metric}${labelled(labels, values.split(' '))} ${sum}`)
  return [`# HELP ${metric} ${help}`, `# TYPE ${metric} counter`, ...lines]
}

function histogram(name: FigureName, sums: Sums): string[] {
  const { help, labels, bounds = [] }: FigureKind = figureKinds[name]
  const metric = `fleet_${name}`
  const series = new Map<string, Map<string, number>>()
  // one without labels is there from the beginning
  if (labels.length === 0) series.set('', new Map())
  for (const [values, sum] of sums) {
    const at = values.lastIndexOf(' ')
    const of = at < 0 ? '' : values.slice(0, at)
    series.set(of, (series.get(of) ?? new Map()).set(values.slice(at + 1), sum))
  }
  const lines = [...series].flatMap(([of, counts]) => {
    const values = of === '' ? [] : of.split(' ')
    let below = 0
    const buckets = [...bounds.map(String), 'more'].map((bound) => {
      below += counts.get(bound) ?? 0
      return `${metric}_bucket${labelled([...labels, 'le'], [...values, bound === 'more' ? '+Inf' : bound])} ${below}`
    })
    const own = labelled(labels, values)
    return [...buckets, `${metric}_sum${own} ${(counts.get('us') ?? 0) / 1e6}`, `${metric}_count${own} ${below}`]
  })
  return [`# HELP ${metric} ${help}`, `# TYPE ${metric} histogram`, ...lines]
}
