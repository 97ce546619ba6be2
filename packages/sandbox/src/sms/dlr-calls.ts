/** Calls the `dlr-url` of a message when there is something to report, its escapes replaced as Kannel replaces them. */
import type { Log } from '@courier-fleet/process'
import { sleep } from '@courier-fleet/process'
import type { DeliveryReport } from './delivery-reports.ts'

export interface SentReport extends DeliveryReport {
  readonly from: string
}

export interface DlrCalls {
  /** Calls until it is taken, a few times over; only loopback addresses are ever called. */
  call(url: string, report: SentReport): void
  stop(): void
}

const callTimeoutMs = 5000
const maxCalls = 10

export function createDlrCalls({ retryMs, log }: { retryMs: number; log: Log }): DlrCalls {
  const stopping = new AbortController()

  const deliver = async (url: string) => {
    for (let call = 1; call <= maxCalls && !stopping.signal.aborted; call++) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(callTimeoutMs)])
      const taken = await fetch(url, { signal }).then(
        async (response) => {
          await response.body?.cancel()
          return response.ok
        },
        () => false,
      )
      if (taken) return
      await sleep(retryMs, stopping.signal)
    }
    if (!stopping.signal.aborted) log.warn('a delivery report was given up: nobody took it')
  }

  return {
    call(template, report) {
      if (!isLoopback(template)) return log.warn('a dlr-url outside this machine is not called by the sandbox')
      void deliver(fill(template, report))
    },
    stop: () => stopping.abort(),
  }
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** %d kind of report (1 delivered, 2 undeliverable), %p %P recipient and sender, %t time, %A the centre's words … */
export function fill(template: string, report: SentReport, at = new Date()): string {
  const delivered = report.state === 'DELIVRD'
  const values: Record<string, string> = {
    d: delivered ? '1' : '2',
    p: report.address,
    P: report.from,
    q: report.address,
    Q: report.from,
    t: at.toISOString().slice(0, 16).replace('T', ' '),
    T: String(Math.floor(at.getTime() / 1000)),
    F: report.id,
    i: 'sandbox',
    A: `id:${report.id} stat:${report.state} err:${delivered ? '000' : '001'}`,
    a: report.text,
    b: report.text,
  }
  return template.replace(/%(.)/g, (whole, name) => {
    const value = values[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })
}
