import { readFileSync } from 'node:fs'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { goodContacts, membersOf } from './roster.ts'

const read = (file: string) => readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8')
const rules = read('prometheus-rules.yml')
const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
/** of what the autoscaler is told */
const adapted = [...read('kubernetes/prometheus-adapter.yaml').matchAll(/^ +metricsQuery: (.+)$/gm)].map((match) =>
  (match[1] as string).replaceAll('<<.LabelMatchers>>', 'channel="vk"'),
)
const expressions = [
  ...adapted,
  ...[...rules.matchAll(/^ +expr: (.+)$/gm)].map((match) => match[1] as string),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

/** What may stand in an expression beside metrics and labels. */
const words = new Set(
  'max min sum by without instance and or on channel bool rate increase histogram_quantile failed unknown suppressed expired m'.split(
    ' ',
  ),
)

interface Selector {
  readonly metric: string
  /** named in braces, and in `by` of the same expression */
  readonly labels: readonly string[]
}

/** The metrics of an expression. @throws Error at a word that is none, and nothing else that is known */
function selectorsOf(expression: string): Selector[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => (match[1] as string).split(/, */))
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\bby \([^)]*\)/g, '')
    .replace(/\[\w+\]/g, '')
  for (const [word] of bare.replace(/\{[^}]*\}/g, '').matchAll(/[a-z_]+/g))
    if (!word.startsWith('fleet_') && !words.has(word)) throw new Error(`"${word}" in ${expression}`)
  return [...bare.matchAll(/(fleet_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', selector = '']) => ({
    metric,
    labels: [...grouped, ...[...selector.matchAll(/(\w+)=/g)].map((match) => match[1] as string)],
  }))
}

describe('what Prometheus is told', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  const metrics = async () => (await fetch(`${fleet.apiUrl}/metrics`)).text()
  const sampleOf = (text: string, sample: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `))
    return line === undefined ? undefined : Number(line.slice(sample.length + 1))
  }

  it('what became of people by channel, state and reason, summed over couriers that nobody can scrape', async () => {
    const phones = goodContacts(membersOf('ivt-101'), ['sms']).length
    // an SMS that is reported before its answer comes is delivered at once, and never counted as sent
    const inVk = goodContacts(membersOf('ivt-101'), ['vk']).length
    const blocked = membersOf('ivt-101').find(({ contacts }) => contacts.telegram)
    await fleet.sandbox.phones([
      { channel: 'telegram', address: blocked?.contacts.telegram as string, state: 'blocked' },
    ])
    const { settled } = await fleet.api.deliver({ to: ['group:ivt-101'], text: 'Пары не будет' })
    expect(settled).to.equal(true)
    const sent = 'fleet_outcomes_total{type="general",channel="vk",state="sent",reason="-"}'
    const failed = 'fleet_outcomes_total{type="general",channel="telegram",state="failed",reason="blocked"}'
    const seconds = 'fleet_provider_seconds_count{channel="sms"}'
    const started = 'fleet_start_lateness_seconds_count{class="normal"}'
    const atLeast = { [sent]: inVk, [seconds]: phones, [failed]: 1, [started]: 1 }
    const text = await until(async () => {
      const found = await metrics()
      return Object.entries(atLeast).every(([sample, least]) => (sampleOf(found, sample) ?? 0) >= least) && found
    }, 'each courier has told')
    expect(sampleOf(text, sent)).to.equal(inVk)
    expect(sampleOf(text, seconds)).to.equal(phones)
    expect(sampleOf(text, started)).to.equal(1)
    expect(sampleOf(text, 'fleet_start_lateness_seconds_bucket{class="normal",le="+Inf"}')).to.equal(1)
    expect(sampleOf(text, 'fleet_waiting_people{channel="sms"}')).to.equal(0)
    expect(sampleOf(text, 'fleet_redis_used_bytes')).to.be.above(1e5)
    for (const line of text.split('\n').filter(Boolean))
      expect(line).to.match(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\]|\\.)*",?)*\})? (-?[\d.e+-]+|NaN|\+Inf))$/)
  })

  it('what every queue says of the fleet is taken once, however many queues there are', () => {
    const ofOneQueue = /^fleet_(http_|messages_accepted_total)/
    const counted = expressions.flatMap((expression) => [
      ...expression.matchAll(/(max without \(instance\) \()?(?:rate|increase)\((fleet_\w+)/g),
    ])
    expect(counted).to.have.length.above(15)
    for (const [text, once, metric = ''] of counted) expect(once === undefined, text).to.equal(ofOneQueue.test(metric))
  })

  it('every metric and label that the rules and the dashboard name is there', async () => {
    const text = await metrics()
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map((match) => [match[1], match[2]]))
    const labels = new Map<string, Set<string>>()
    for (const [, metric = '', list = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
      const known = labels.get(metric) ?? new Set()
      for (const [, label = ''] of list.matchAll(/(\w+)="/g)) known.add(label)
      labels.set(metric, known)
    }
    expect(expressions).to.have.length.above(25)
    for (const expression of expressions) {
      const selectors = selectorsOf(expression)
      expect(selectors, expression).to.have.length.above(0)
      for (const { metric, labels: wanted } of selectors) {
        const base = metric.replace(/_(bucket|sum|count)$/, '')
        const type = types.get(metric) ?? types.get(base)
        expect(type, `${metric} in ${expression}`).to.not.equal(undefined)
        if (metric !== base && !types.has(metric)) expect(type, metric).to.equal('histogram')
        // of what has not happened yet there are no samples, and no labels to be seen
        const known = labels.get(metric)
        if (known) expect([...known], expression).to.include.members([...wanted])
      }
    }
    const named = new Set(
      expressions.flatMap(selectorsOf).map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')),
    )
    for (const wanted of [
      'fleet_outcomes_total',
      'fleet_start_lateness_seconds',
      'fleet_waiting_people',
      'fleet_alarm',
    ])
      expect([...named]).to.include(wanted)
  })
})
