/** Makes the delivery report of a message, and sends it: at once, or with the disorder that a fault asks for. */
import type { CentreName, Fault } from '../faults.ts'
import type { World } from '../world.ts'

export interface DeliveryReport {
  /** as the report shows it: hexadecimal as answered, or decimal when a fault asks for the other format */
  readonly id: string
  readonly state: 'DELIVRD' | 'UNDELIV' | 'EXPIRED'
  readonly address: string
  readonly text: string
  readonly submittedAt: Date
}

/** Which reports a client asks for, and where they go. */
export interface WantedReports {
  readonly wanted: 'all' | 'failures' | 'successes'
  readonly send: (report: DeliveryReport) => void
}

/** What became of a message that was accepted. */
export interface Delivery {
  readonly address: string
  readonly text: string
  /** the centre's number of it */
  readonly number: number
  readonly submittedAt: Date
  /** given up; else it has arrived */
  readonly expired: boolean
  /** none when absent */
  readonly reports?: WantedReports
}

export interface DeliveryReports {
  /** Sends what is due before the client's submit is answered, and returns what is to be called after it. */
  report(delivery: Delivery): () => void
  /** forgets the reports that are still to come */
  stop(): void
}

export function createDeliveryReports(world: World, centre: CentreName): DeliveryReports {
  const late = new Set<NodeJS.Timeout>()
  let stopped = false

  function sendAfter(ms: number, send: () => void): void {
    if (stopped) return
    const timer = setTimeout(() => {
      late.delete(timer)
      send()
    }, ms)
    late.add(timer)
  }

  return {
    report({ address, text, number, submittedAt, expired, reports }) {
      if (!reports) return () => {}
      const fault = world.takeFault('sms', 'reports', address, centre)
      const state = expired ? 'EXPIRED' : fault?.mode === 'failed' ? 'UNDELIV' : 'DELIVRD'
      if (reports.wanted === (state === 'DELIVRD' ? 'failures' : 'successes')) return () => {}
      const id = number.toString(fault?.mode === 'other-id-format' ? 10 : 16)
      const report: DeliveryReport = { id, state, address, text, submittedAt }
      return inDisorder(fault, () => reports.send(report), sendAfter)
    },
    stop() {
      stopped = true
      for (const timer of late) clearTimeout(timer)
      late.clear()
    },
  }
}

function inDisorder(
  fault: Fault | undefined,
  send: () => void,
  sendAfter: (ms: number, send: () => void) => void,
): () => void {
  switch (fault?.mode) {
    case 'none':
      return () => {}
    case 'early':
      send()
      return () => {}
    case 'late':
      return () => sendAfter((fault.seconds ?? 1) * 1000, send)
    case 'twice':
      return () => {
        send()
        send()
      }
    default:
      return send
  }
}
