/**
 * One recipient of a channel that folds no resends, two processes, and a Redis whose master may die while its replica is behind: what
 * the replica has not heard of is gone. The former master may go on answering whoever has not noticed. The first process may have
 * two flights of the same entry, for after the fail-over it may read again what it has read before. next() tells every state that can follow.
 */
export interface Rules {
  /** nobody is handed to the provider before a replica has the mark */
  readonly waitsBeforeSend: boolean
  /** the answer is written again until a replica has it */
  readonly waitsForAnswer: boolean
  /** what was written, and what the replica is asked about, must be of one generation of the master */
  readonly sameGeneration: boolean
  /** where no replica answers the mark is taken back */
  readonly givesBack: boolean
  /** a consumer's name changes with the master, and no master knows a claim under the name of another generation */
  readonly namesGeneration: boolean
  /** a process that has lost its claim reports what it knows to have been accepted */
  readonly reports: boolean
}

/** What a Redis holds. */
interface Data {
  /** what is handed back comes again as another */
  readonly entry: number
  readonly byte: 'pending' | 'attempting' | 'sent' | 'unknown'
  /** consumer that the entry is pending for */
  readonly owner: string | null
  readonly deliveries: number
  readonly open: boolean
}

interface Flight {
  readonly process: number
  readonly entry: number
  readonly consumer: string
  readonly deliveries: number
  readonly at: 'sort' | 'mark' | 'confirm-mark' | 'give-back' | 'send' | 'answer' | 'confirm-answer' | 'finish'
  /** generation of the master that took its last write */
  readonly wroteIn: number
  readonly lost: boolean
}

export interface State {
  readonly generation: number
  readonly master: Data
  /** null once no fail-over is to come: what it has is of no consequence then */
  readonly replica: Data | null
  /** the former master, which does not know yet that it is none any more */
  readonly former: Data | null
  /** of which generation each process believes the master to be */
  readonly believed: readonly number[]
  readonly flights: readonly Flight[]
  readonly shown: number
  /** of one more failure: a process has crashed, or was so slow that its lease ran out */
  readonly trouble: 'none' | 'crash' | 'slow'
}

const untouched: Data = { entry: 1, byte: 'pending', owner: null, deliveries: 0, open: true }

export const firstState: State = {
  generation: 1,
  master: untouched,
  replica: untouched,
  former: null,
  believed: [1, 1],
  flights: [],
  shown: 0,
  trouble: 'none',
}

const isSame = (one: Data, other: Data) => JSON.stringify(one) === JSON.stringify(other)

export function next(rules: Rules, state: State): State[] {
  const found: State[] = []
  const { generation, master, replica, flights, trouble } = state
  if (replica) {
    if (!isSame(master, replica)) found.push({ ...state, replica: master })
    found.push({ ...state, generation: generation + 1, master: replica, replica: null, former: master })
  }
  for (const process of [0, 1]) {
    found.push(...claimsOf(rules, state, process))
    const isBusy = flights.some((flight) => flight.process === process)
    if (trouble === 'none' && isBusy) {
      const left = flights.filter((flight) => flight.process !== process)
      found.push({ ...state, trouble: 'crash', flights: left })
    }
  }
  for (const [at, flight] of flights.entries()) found.push(...stepsOf(rules, state, at, flight))
  return found
}

/** A new entry is read by anybody; one that is pending is taken over when its lease has run out. */
function claimsOf(rules: Rules, state: State, process: number): State[] {
  const { master, flights, believed, trouble } = state
  if (!master.open || flights.filter((flight) => flight.process === process).length > (process === 0 ? 1 : 0)) return []
  const isHeld = flights.some(
    ({ entry, consumer, deliveries }) =>
      entry === master.entry && consumer === master.owner && deliveries === master.deliveries,
  )
  if (isHeld && trouble !== 'none') return []
  const deliveries = master.deliveries + 1
  const consumer = rules.namesGeneration ? `${process}@${believed[process]}` : `${process}`
  const flight: Flight = { process, entry: master.entry, consumer, deliveries, at: 'sort', wroteIn: 0, lost: false }
  const found = isHeld ? { trouble: 'slow' as const } : {}
  return [{ ...state, ...found, master: { ...master, owner: consumer, deliveries }, flights: [...flights, flight] }]
}

function stepsOf(rules: Rules, state: State, index: number, flight: Flight): State[] {
  const { generation, master } = state
  const become = (changed: Partial<Flight> | null, rest: Partial<State> = {}): State => ({
    ...state,
    ...rest,
    flights: state.flights.flatMap((each, at) => (at !== index ? [each] : changed ? [{ ...each, ...changed }] : [])),
  })
  switch (flight.at) {
    case 'sort':
      if (master.byte === 'pending') return [become({ at: 'mark' })]
      if (master.byte === 'attempting') return [become(...record(state, flight, 'unknown', { at: 'finish' }))]
      return [become({ at: 'finish' })]
    case 'mark':
      return marks(state, flight, become)
    case 'confirm-mark': {
      // it may take too long, once; or be too late
      const mayFail = rules.waitsBeforeSend && (flight.entry === 1 || flight.wroteIn !== generation)
      return [
        ...(isConfirmed(rules, state, flight, rules.waitsBeforeSend) ? [become({ at: 'send' })] : []),
        ...(mayFail ? [become({ at: 'give-back' })] : []),
      ]
    }
    case 'give-back':
      return [becomeFree(rules, state, flight, become)]
    case 'send':
      return [become({ at: 'answer' }, { shown: state.shown + 1 })]
    case 'answer':
      return [answers(rules, state, flight, become)]
    case 'confirm-answer':
      if (isConfirmed(rules, state, flight, rules.waitsForAnswer)) return [become({ at: 'finish' })]
      return [become({ at: 'answer' })]
    case 'finish':
      if (!owns(master, generation, flight)) return [become(null, learn(state, flight))]
      return [become(null, { master: { ...master, owner: null, open: false } })]
  }
}

type Become = (changed: Partial<Flight> | null, rest?: Partial<State>) => State

function owns(data: Data, generation: number, { entry, consumer, deliveries, lost }: Flight): boolean {
  const isOfThis = !consumer.includes('@') || consumer.endsWith(`@${generation}`)
  return !lost && isOfThis && data.entry === entry && data.owner === consumer && data.deliveries === deliveries
}

/** Whoever is refused learns who the master is. */
const learn = ({ believed, generation }: State, { process }: Flight): Partial<State> => ({
  believed: believed.map((old, at) => (at === process ? generation : old)),
})

/** record.lua: whoever does not own the claim writes nothing. */
function record(
  state: State,
  flight: Flight,
  byte: Data['byte'],
  then: Partial<Flight>,
): [Partial<Flight> | null, Partial<State>] {
  const { master, generation } = state
  if (!owns(master, generation, flight)) return [null, learn(state, flight)]
  return [{ ...then, wroteIn: generation }, { master: { ...master, byte } }]
}

/** The former master may take the mark of whoever has not noticed: nobody will ever see it. */
function marks(state: State, flight: Flight, become: Become): State[] {
  const { former, generation, believed } = state
  const found = [become(...record(state, flight, 'attempting', { at: 'confirm-mark' }))]
  const isUnaware = former && believed[flight.process] !== generation && owns(former, generation - 1, flight)
  if (isUnaware) found.push(become({ at: 'confirm-mark', wroteIn: generation - 1 }))
  return found
}

const isConfirmed = (rules: Rules, { master, replica, generation }: State, { wroteIn }: Flight, waits: boolean) =>
  !waits || ((!replica || isSame(master, replica)) && (!rules.sameGeneration || wroteIn === generation))

/** Handed back: whoever is next begins anew. */
function becomeFree(rules: Rules, state: State, flight: Flight, become: Become): State {
  const { master, generation } = state
  if (!owns(master, generation, flight)) return become(null, learn(state, flight))
  const byte = rules.givesBack && master.byte === 'attempting' ? 'pending' : master.byte
  return become(null, { master: { ...master, entry: master.entry + 1, byte, owner: null, deliveries: 0 } })
}

/** By the claim, or, where that is lost, as a report. */
function answers(rules: Rules, state: State, flight: Flight, become: Become): State {
  const [written, rest] = record(state, flight, 'sent', { at: 'confirm-answer' })
  if (written) return become(written, rest)
  if (!rules.reports) return become(null, rest)
  const { master, generation } = state
  return become(
    { at: 'confirm-answer', lost: true, wroteIn: generation },
    { ...rest, master: { ...master, byte: 'sent' } },
  )
}
