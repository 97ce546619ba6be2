import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readArguments } from '../../tools/bench/arguments.ts'
import { arrivalsOf, numbers, troubleOf } from '../../tools/bench/arrivals.ts'
import type { Case } from '../../tools/bench/case.ts'
import { busiestShare } from '../../tools/bench/cases/cluster.ts'
import { cases } from '../../tools/bench/cases/index.ts'
import { createRecorder, describeTarget, meets } from '../../tools/bench/figures.ts'
import { numberIn, textOf } from '../../tools/bench/messages.ts'
import { type Answer, smppProtocol, vkProtocol } from '../../tools/bench/ours/line.ts'
import { sumByOrigin } from '../../tools/bench/ours/profile.mjs'
import { number } from '../../tools/bench/report/number.ts'
import { drawPlot } from '../../tools/bench/report/plot.ts'
import { type CaseResult, writeResults } from '../../tools/bench/report/results.ts'
import { formatTable } from '../../tools/bench/report/table.ts'
import { jsonOf } from '../../tools/bench/run-cases.ts'
import { commandsBetween, readFigures } from '../../tools/bench/server/info.ts'
import { bytesOf } from '../../tools/bench/server/replay.ts'
import { distribution, median, percentile, spread } from '../../tools/bench/statistics.ts'

const never = Number.POSITIVE_INFINITY

describe('the benchmark', () => {
  describe('arguments', () => {
    const known = ['accept', 'burst']
    const refused: [given: string[], why: RegExp][] = [
      [[], /one case, or all\nusage: .*\ncases: accept, burst/],
      [['accept', 'burst'], /one case, or all/],
      [['speed'], /no case "speed"/],
      [['all', '--runs', '0'], /--runs/],
      [['all', '--runs', 'many'], /--runs/],
      [['all', '--scale', '2'], /--scale/],
      [['all', '--scale', '0'], /--scale/],
      [['all', '--jsn'], /--jsn/],
    ]
    for (const [given, why] of refused)
      it(`refuses "${given.join(' ')}"`, () => {
        expect(() => readArguments(given, known)).to.throw(why)
      })

    it('takes one case or all of them, five runs unless told otherwise', () => {
      expect(readArguments(['burst', '--json'], known)).to.deep.equal({
        cases: ['burst'],
        json: true,
        runs: 5,
        scale: 1,
      })
      expect(readArguments(['all', '--runs', '2'], known)).to.deep.include({ cases: known, runs: 2, json: false })
    })
  })

  describe('statistics', () => {
    it('takes the percentile of what is there, never of what is between', () => {
      const values = [5, 1, 4, 2, 3]
      expect([0, 0.5, 0.8, 0.81, 1].map((share) => percentile(values, share))).to.deep.equal([1, 3, 4, 5, 5])
      expect(percentile([], 0.5)).to.be.NaN
    })

    it('counts what never came as infinitely late', () => {
      const values = [...numbers(99), never]
      expect(percentile(values, 0.99)).to.equal(98)
      expect(percentile(values, 1)).to.equal(never)
      expect(distribution(values, 3).at(-1)).to.deep.equal([98, 0.99])
    })

    it('knows the median and the spread', () => {
      expect(median([3, 1, 2])).to.equal(2)
      expect(median([4, 1, 2, 3])).to.equal(2.5)
      expect(spread([3, 1, 2])).to.deep.equal([1, 3])
    })
  })

  describe('targets', () => {
    it('must hold all together, and need the other side when they are told by it', () => {
      const target = { most: 10, maxTimesTheirs: 0.2 }
      expect(describeTarget(target)).to.equal('≤ 10 and ≤ 0.2 × BullMQ')
      expect(meets(target, 9, 50)).to.equal(true)
      expect(meets(target, 9, 44)).to.equal(false)
      expect(meets(target, 11, 500)).to.equal(false)
      expect(meets(target, 9, null)).to.equal(false)
      expect(meets({ leastTimesTheirs: 3 }, 30, 10)).to.equal(true)
      expect(meets({ least: 3 }, null, null)).to.equal(false)
    })
  })

  describe('figures', () => {
    const metrics = { late: { unit: 'ms', target: { most: 10 } }, size: { unit: 'bytes' } }

    it('are the medians of the runs, in the shape the command prints', () => {
      const recorder = createRecorder('example', metrics)
      for (const value of [3, 9, 4]) recorder.ours('late', value)
      for (const value of [40, 80]) recorder.theirs('late', value)
      recorder.ours('size', never)
      expect(JSON.parse(jsonOf(recorder.figures()))).to.deep.equal([
        {
          case: 'example',
          metric: 'late',
          unit: 'ms',
          ours: 4,
          theirs: 60,
          ratio: 4 / 60,
          target: '≤ 10',
          met: true,
          runs: 3,
          spread: { ours: [3, 9], theirs: [40, 80] },
        },
        {
          case: 'example',
          metric: 'size',
          unit: 'bytes',
          ours: null,
          theirs: null,
          ratio: null,
          target: null,
          met: null,
          runs: 1,
          spread: { ours: [null, null], theirs: null },
        },
      ])
    })

    it('are void once a message was lost, however good the other runs were', async () => {
      const rows = [0, 1, 3].map((each) => ({ at: 1, text: textOf(each) }))
      const trouble = troubleOf(numbers(4), await arrivalsOf(stream(rows), ({ text }) => numberIn(text)))
      expect(trouble).to.equal('1 lost')
      const recorder = createRecorder('example', metrics)
      recorder.ours('late', 1)
      recorder.spoil('ours', trouble as string, ['late'])
      recorder.ours('late', 2)
      const [figure] = recorder.figures()
      expect(figure).to.include({ ours: null, met: false, note: 'void: 1 lost' })
      expect(formatTable(recorder.figures())).to.match(/late +ms +– .*NO +2\n\n {2}late: void: 1 lost/)
    })

    it('refuse a metric the case has not announced', () => {
      expect(() => createRecorder('example', metrics).ours('speed', 1)).to.throw(/no metric "speed"/)
    })
  })

  describe('what arrived', () => {
    const arrived = (...names: number[]) =>
      arrivalsOf(stream(names.map((name) => ({ at: name, name }))), ({ name }) => name)

    it('is right only when everything came, once, and nothing else', async () => {
      expect(troubleOf(numbers(3), await arrived(2, 0, 1))).to.equal(undefined)
      expect(troubleOf(numbers(3), await arrived(2, 0, 2, 1))).to.equal('1 doubled')
      expect(troubleOf(numbers(3), await arrived(0, 1, 7))).to.equal('1 lost, 1 never sent')
    })
  })

  describe('messages', () => {
    it('have 105 bytes of text, and their number in it', () => {
      for (const each of [0, 7, 1_234_567]) {
        expect(Buffer.byteLength(textOf(each))).to.equal(105)
        expect(numberIn(textOf(each))).to.equal(each)
      }
    })
  })

  describe('the wire', () => {
    it('tells throttling answers of VK from others', () => {
      const callsIn = vkProtocol.calls()
      const answersIn = vkProtocol.answers()
      const calls = (chunk: Buffer) => callsIn(chunk).length
      const throttles = (chunk: Buffer) => answersIn(chunk).filter((answer) => answer.throttles).length
      expect(calls(Buffer.from('POST /method/execute?v=5.199 HTTP/1.1\r\nHost: x\r\n\r\n'))).to.equal(1)
      expect(calls(Buffer.from('POST /method/groups.getById HTTP/1.1\r\n\r\n'))).to.equal(0)
      expect(throttles(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"error":{"error_code":6,"error_msg":"…"}}'))).to.equal(1)
      expect(throttles(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"error":{"error_code":901,"error_msg":"…"}}'))).to.equal(0)
    })

    it('counts PDUs however the stream is cut', () => {
      const pdu = (command: number, status: number) => {
        const bytes = Buffer.alloc(20)
        for (const [at, value] of [20, command, status, 1].entries()) bytes.writeUInt32BE(value, at * 4)
        return bytes
      }
      const answers = Buffer.concat([pdu(0x8000_0004, 0), pdu(0x8000_0004, 0x58), pdu(0x8000_0015, 0)])
      const answersIn = smppProtocol.answers()
      const found: Answer[] = []
      for (let at = 0; at < answers.length; at += 7) found.push(...answersIn(answers.subarray(at, at + 7)))
      expect(found).to.deep.equal([
        { id: 1, throttles: false },
        { id: 1, throttles: true },
      ])
    })
  })

  describe('what Redis says', () => {
    const info = (calls: number, usec: number) =>
      `# Memory\r\nused_memory:2048\r\nused_memory_rss:4096\r\n# CPU\r\nused_cpu_sys:0.5\r\nused_cpu_user:1.25\r\n# Commandstats\r\ncmdstat_hset:calls=${calls},usec=${usec},usec_per_call=1.00\r\n`

    it('is read, and what was done between two snapshots', () => {
      const before = readFigures(info(10, 20))
      expect(before).to.deep.include({ usedMemory: 2048, rssBytes: 4096, cpuMs: 1750 })
      expect([...commandsBetween(before, readFigures(info(15, 32)))]).to.deep.equal([['hset', { calls: 5, usec: 12 }]])
      expect([...commandsBetween(before, before)]).to.deep.equal([])
    })

    it('is given back byte for byte', () => {
      expect(bytesOf('a\\x00\\xd0\\x9f\\"\\\\n\\n')).to.deep.equal(
        Buffer.from([0x61, 0x00, 0xd0, 0x9f, 0x22, 0x5c, 0x6e, 0x0a]),
      )
    })
  })

  it('sums a profile up by where the code comes from', () => {
    const frame = (id: number, url: string, functionName = 'f') => ({ id, callFrame: { url, functionName } })
    const profile = {
      nodes: [
        frame(1, '', '(idle)'),
        frame(2, 'file:///home/me/courier-fleet/packages/couriers/dist/engine/jobs/send-job.js'),
        frame(3, 'file:///home/me/courier-fleet/node_modules/ioredis/built/Redis.js'),
        frame(4, '', 'digest'),
        frame(5, '', '(program)'),
      ],
      startTime: 0,
      endTime: 13_750,
      samples: [1, 2, 3, 3, 4, 5],
      timeDeltas: [9000, 1000, 1000, 2000, 500, 250],
    }
    expect(sumByOrigin(profile)).to.deep.equal([
      { origin: 'ioredis', ms: 3 },
      { origin: 'own code: couriers', ms: 1 },
      { origin: 'crypto', ms: 0.5 },
      { origin: 'system calls', ms: 0.25 },
    ])
  })

  it('says how much more the busiest node has than the mean', () => {
    expect([busiestShare([7]), busiestShare([1, 1, 4])]).to.deep.equal([1, 2])
  })

  it('writes numbers so that they can be read', () => {
    expect([1_234_567, 12_345.6, 45.67, 0.1234, 3, never, null].map(number)).to.deep.equal([
      '1 234 567',
      '12 346',
      '45.7',
      '0.123',
      '3',
      'never',
      '–',
    ])
  })

  it('keeps what other cases gave before when it writes its pages', () => {
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-bench-test-'))
    try {
      writeResults({ accept: resultOf('accept', 'bulk', 40) }, cases, dir)
      mkdirSync(join(dir, 'notes'))
      writeFileSync(join(dir, 'notes/memory.md'), 'Why so many: keys.')
      writeResults({ memory: resultOf('memory', 'pending message', never) }, cases, dir)
      const page = readFileSync(join(dir, 'RESULTS.md'), 'utf8')
      expect(page).to.match(/\| bulk \| messages\/s \| 40 \|/)
      expect(page).to.match(/0 of 2 targets are met; not met:\n\n- accept: bulk\n- memory: pending message/)
      expect(page).to.match(/\| pending message \| bytes \| never \|[\s\S]*Why so many: keys\.[\s\S]*3 cores/)
      expect(readFileSync(join(dir, 'plots/memory.svg'), 'utf8')).to.match(/^<svg/)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  it('draws every plot of every case, with nothing measured and with something', () => {
    for (const each of cases)
      for (const plot of each.plots) expect(drawn(each, plot)).to.match(/^<svg [\s\S]*<\/svg>\n$/)
    expect(cases.map(({ name }) => name)).to.include.members([
      'lateness',
      'accept',
      'burst',
      'fanout',
      'memory',
      'read',
      'fleet',
    ])
  })
})

function drawn({ name, metrics }: Case, plot: Case['plots'][number]): string {
  expect(drawPlot(plot, [], [])).not.to.match(/NaN|Infinity/)
  const recorder = createRecorder(name, metrics)
  for (const metric of Object.keys(metrics)) recorder.ours(metric, 5)
  const series = ['ours', 'BullMQ'].map((side) => ({
    plot: plot.file,
    name: side,
    points: [
      [0, 0],
      [2, 7],
    ] as const,
  }))
  const svg = drawPlot(plot, recorder.figures(), series)
  expect(svg).not.to.match(/NaN|Infinity/)
  return svg
}

function resultOf(name: string, metric: string, value: number): CaseResult {
  const recorder = createRecorder(name, cases.find((each) => each.name === name)?.metrics ?? {})
  recorder.ours(metric, value)
  const machine = '3 cores'
  const conditions = { date: '', commit: '', machine, node: '', redis: '', aof: '', bullmq: '', load: '' }
  return { conditions, seconds: 1, figures: recorder.figures(), series: [], remarks: [] }
}

async function* stream<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows
}
