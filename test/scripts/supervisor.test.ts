import { once } from 'node:events'
import { expect } from 'chai'
import { nextDelay, supervise } from '../../scripts/supervisor.mjs'

const backoff = { firstMs: 10, maxMs: 40, servedMs: 60_000 }
const sh = (script: string) => () => ({ file: '/bin/sh', args: ['-c', script] })

/** Collects what happens and lets a test wait for the n-th of it. */
function recorder<T>() {
  const seen: T[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  return {
    seen,
    add(value: T) {
      seen.push(value)
      for (const { count, resolve } of waiting) if (seen.length >= count) resolve()
    },
    upTo: (count: number) =>
      new Promise<void>((resolve) => {
        if (seen.length >= count) resolve()
        waiting.push({ count, resolve })
      }),
  }
}

describe('the back-off of the supervisor', () => {
  it('doubles from half a second up to thirty', () => {
    const delays = [nextDelay(0, 0)]
    while (delays.length < 9) delays.push(nextDelay(delays.at(-1) as number, 100))
    expect(delays).to.deep.equal([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('is none for whoever was ready for ten seconds, and starts over', () => {
    expect(nextDelay(30_000, 9_999)).to.equal(30_000)
    expect(nextDelay(30_000, 10_000)).to.equal(0)
    expect(nextDelay(0, 10_000)).to.equal(0)
    expect(nextDelay(0, 100)).to.equal(500)
  })
})

describe('supervise', () => {
  it('starts a process again each time it ends by itself, later each time', async () => {
    const ends = recorder<{ reason: string; restartInMs: number | undefined }>()
    const starts = recorder<number | undefined>()
    const process = supervise({
      command: sh('exit 3'),
      onStart: (child) => starts.add(child.pid),
      onEnd: ends.add,
      backoff,
    })
    await ends.upTo(4)
    await process.stop(100)
    expect(ends.seen.map((end) => end.restartInMs)).to.deep.equal([10, 20, 40, 40])
    expect(ends.seen[0]?.reason).to.equal('ended with code 3')
    expect(new Set(starts.seen).size).to.equal(4)
    expect(process.pid).to.equal(undefined)
  })

  it('starts a killed process again, with the settings of that moment', async () => {
    const starts = recorder<string>()
    const ends = recorder<string>()
    let setting = 'one'
    const process = supervise({
      command: () => ({ file: '/bin/sh', args: ['-c', 'exec sleep 60'], env: { SETTING: setting } }),
      onStart: (child) => starts.add(child.spawnfile && setting),
      onEnd: (end) => ends.add(end.reason),
      backoff,
    })
    const first = process.pid as number
    setting = 'two'
    globalThis.process.kill(first, 'SIGKILL')
    await starts.upTo(2)
    expect(ends.seen).to.deep.equal(['was ended by SIGKILL'])
    expect(starts.seen).to.deep.equal(['one', 'two'])
    expect(process.pid).to.be.a('number').and.not.equal(first)
    await process.stop(100)
  })

  it('starts whoever was killed at its work again at once, and whoever never was ready later', async () => {
    for (const [isReady, restartInMs] of [
      [true, 0],
      [false, 600_000],
    ] as const) {
      const starts = recorder<number>()
      const ends = recorder<{ restartInMs: number | undefined }>()
      let heard: Promise<unknown> = Promise.resolve()
      const process = supervise({
        command: () => ({
          file: globalThis.process.execPath,
          args: ['-e', `process.send(${isReady ? '{ ready: true }' : '{}'}); setInterval(() => {}, 1000)`],
        }),
        ipc: true,
        onStart: (child) => {
          starts.add(child.pid as number)
          heard = once(child, 'message')
        },
        onEnd: ends.add,
        backoff: { firstMs: 600_000, maxMs: 600_000, servedMs: 0 },
      })
      await heard
      globalThis.process.kill(process.pid as number, 'SIGKILL')
      await ends.upTo(1)
      expect(ends.seen[0]?.restartInMs).to.equal(restartInMs)
      if (isReady) await starts.upTo(2)
      await process.stop(1000)
    }
  })

  it('ends it with SIGTERM and does not start it again', async () => {
    const ends = recorder<string>()
    const starts = recorder<number>()
    const process = supervise({
      command: sh('exec sleep 60'),
      onStart: (child) => starts.add(child.pid as number),
      onEnd: (end) => ends.add(end.reason),
      backoff,
    })
    await Promise.all([process.stop(5000), process.stop(5000)])
    expect(ends.seen).to.deep.equal([])
    expect(process.pid).to.equal(undefined)
    expect(isAlive(starts.seen[0] as number)).to.equal(false)
  })

  it('kills what does not heed SIGTERM within the grace', async () => {
    let pid = 0
    let ready: Promise<unknown> = Promise.resolve()
    const process = supervise({
      command: sh('trap "" TERM; echo ready; while :; do sleep 0.05; done'),
      onStart: (child) => {
        pid = child.pid as number
        ready = once(child.stdout as NodeJS.ReadableStream, 'data')
      },
      backoff,
    })
    await ready
    await process.stop(50)
    expect(isAlive(pid)).to.equal(false)
  })

  it('can be stopped while it waits for its restart', async () => {
    const ends = recorder<string>()
    const process = supervise({
      command: sh('exit 1'),
      onEnd: (end) => ends.add(end.reason),
      backoff: { firstMs: 600_000, maxMs: 600_000, servedMs: 600_000 },
    })
    await ends.upTo(1)
    await process.stop(100) // mocha would not exit if the timer were still there
    expect(process.pid).to.equal(undefined)
  })

  it('restarts at once when asked to, without counting it as a failure', async () => {
    const starts = recorder<number>()
    const ends = recorder<string>()
    const process = supervise({
      command: sh('exec sleep 60'),
      onStart: (child) => starts.add(child.pid as number),
      onEnd: (end) => ends.add(end.reason),
      backoff,
    })
    await process.restart(5000)
    expect(starts.seen).to.have.length(2)
    expect(isAlive(starts.seen[0] as number)).to.equal(false)
    await Promise.all([process.restart(5000), process.stop(5000)])
    expect(ends.seen).to.deep.equal([])
    expect(process.pid).to.equal(undefined)
  })

  it('goes on trying when the executable is not there', async () => {
    const ends = recorder<string>()
    const process = supervise({
      command: () => ({ file: '/nowhere/at-all', args: [] }),
      onEnd: (end) => ends.add(end.reason),
      backoff,
    })
    await ends.upTo(2)
    await process.stop(100)
    expect(ends.seen[0]).to.contain('ENOENT')
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
