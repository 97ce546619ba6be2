/** What a process does about one person of a message that is corrected, step by step, and what the scripts and the provider make of it. */
import {
  type Byte,
  type How,
  isOver,
  isRecall,
  legOf,
  type Process,
  type State,
  take,
  withLeg,
  withProcess,
} from './corrections-state.ts'

export interface Rules {
  /** the mark is refused where the text is an older one than the newest, in its own step */
  readonly fences: boolean
  /** so is one that is repeated */
  readonly fencesRepeats: boolean
  /** whoever is marked when it is corrected may have the old text */
  readonly listsMarked: boolean
  /** whoever is unknown may have it, too */
  readonly listsUnknown: boolean
  /** of whoever is marked the answer is awaited before they are corrected */
  readonly awaitsAnswer: boolean
  /** whoever is given back after the correction has nothing to be corrected, in the step that gives them back */
  readonly releases: boolean
  /** whoever turns out to have the old text after a refusal is said to */
  readonly keepsUncorrected: boolean
  /** that there is nothing to correct is looked at once more where it is written */
  readonly looksAgain: boolean
  /** whoever lost the claim says only of a message that it was accepted: a change to one is made again by whoever has the claim */
  readonly reportsMessagesAlone: boolean
  /** a confirmation counts for the text it is of, and for no other */
  readonly comparesTexts: boolean
  /** what was confirmed of the older text does not count for the new one */
  readonly asksAnew: boolean
  /** a correction begins when the one before is done */
  readonly oneAtATime: boolean
  /** a recall waits for an edit that is under way */
  readonly awaitsEdits: boolean
  /** of a message that was cancelled nobody is marked */
  readonly heedsCancel: boolean
  /** record and defer refuse whoever no longer owns the claim */
  readonly fenced: boolean
  /** not a rule but what is assumed: what corrects somebody is handed over before the lease runs out, or not at all */
  readonly correctsInTime: boolean
  /** not rules but a channel */
  readonly folds: boolean
  readonly edits: boolean
}

export function work(rules: Rules, state: State, process: Process, who: number): State[] {
  switch (process.at) {
    case 'idle':
      return claims(state, who)
    case 'read':
      return [read(rules, state, process, who)]
    case 'mark':
      return [mark(rules, state, process, who)]
    case 'send':
      return send(rules, state, process, who)
    case 'finish':
      return [finish(rules, state, process, who)]
    case 'hand-back':
      return [handBack(rules, state, process, who)]
  }
}

/** Nobody works on it, or its lease has run out. The record is read with it. */
const claims = (state: State, who: number): State[] =>
  state.legs.flatMap(({ isOpen, owner }, leg) => {
    if (!isOpen || (owner !== null && (owner === who || state.freezesLeft === 0))) return []
    const claimed = withLeg(withProcess(state, who, { ...take.idle, at: 'read', leg, text: state.version }), leg, {
      owner: who,
    })
    if (owner === null) return [claimed]
    return [withProcess({ ...claimed, freezesLeft: state.freezesLeft - 1 }, owner, { isLost: true })]
  })

const isOpenByte = (byte: Byte) => byte === 'pending' || byte === 'attempting'

function read(rules: Rules, state: State, process: Process, who: number): State {
  const { byte } = legOf(state, process.leg)
  const to = (change: Partial<Process>) => withProcess(state, who, change)
  if (!isOpenByte(byte)) return to({ at: 'finish', note: null })
  const how = process.leg === 0 ? 'own' : howToCorrect(rules, state, process)
  if (how === 'wait') return to({ at: 'hand-back' })
  if (how === 'nothing') return to({ at: 'finish', note: byte === 'attempting' ? 'unknown' : 'nothing' })
  if (how === 'stays') return to({ at: 'finish', note: byte === 'attempting' ? 'unknown' : 'uncorrected' })
  // of whoever was marked by another nobody knows, where resends are not folded
  if (byte === 'attempting' && !rules.folds) return to({ at: 'finish', note: 'unknown' })
  if (how !== 'delete') return to({ at: 'mark', how })
  const sent = [0, 1].filter((leg) => leg < process.leg && ownMessageIsKnown(state, leg))
  return to({ at: 'mark', how, ids: sent, mayLeaveOne: state.legs.some(({ byte: is }) => is === 'unknown') })
}

const ownMessageIsKnown = (state: State, leg: number) =>
  legOf(state, leg).byte === 'sent' && legOf(state, leg).how === 'own'

/** corrections.ts, recalls.ts */
function howToCorrect(rules: Rules, state: State, { leg }: Process): How | 'wait' | 'nothing' | 'stays' {
  const first = legOf(state, 0)
  const earlier = state.legs.slice(1, leg)
  if (isRecall(state, leg)) {
    if (isOpenByte(first.byte) || (rules.awaitsEdits && earlier.some(({ byte }) => isOpenByte(byte)))) return 'wait'
    if (first.byte !== 'sent' && first.byte !== 'unknown') return 'nothing'
    const isAnyKnown = [0, 1].some((each) => each < leg && ownMessageIsKnown(state, each))
    return rules.edits && isAnyKnown ? 'delete' : 'stays'
  }
  if (isOpenByte(first.byte) && rules.awaitsAnswer) return 'wait'
  if (first.byte !== 'sent' && first.byte !== 'unknown') return isOpenByte(first.byte) ? 'own' : 'nothing'
  const wasFollowed = earlier.some(({ byte, how }) => byte === 'unknown' || how === 'own')
  return rules.edits && first.byte === 'sent' && !wasFollowed ? 'edit' : 'own'
}

const owns = ({ fenced }: Rules, { isLost }: Process) => !fenced || !isLost

/** record.lua with `a` */
function mark(rules: Rules, state: State, process: Process, who: number): State {
  const { leg, text } = process
  const { byte } = legOf(state, leg)
  const to = (change: Partial<Process>) => withProcess(state, who, change)
  if (!owns(rules, process)) return to(take.idle)
  if (!isOpenByte(byte)) return to({ at: 'finish', note: null })
  if (rules.heedsCancel && isOver(state, leg))
    return to({ at: 'finish', note: byte === 'attempting' ? 'unknown' : 'stopped' })
  const isFenced = byte === 'pending' ? rules.fences : rules.fencesRepeats
  if (isFenced && text < state.version) return to({ at: 'hand-back' })
  const marked = withLeg(to({ at: 'send', hasMarked: byte === 'pending' }), leg, { byte: 'attempting' })
  if (isOver(state, leg)) return { ...marked, fault: 'marked after a cancel' }
  return text < state.version ? { ...marked, fault: 'marked with an older text' } : marked
}

/** What the provider does, and what the process knows of it. */
function send(rules: Rules, state: State, process: Process, who: number): State[] {
  const { leg, text, how, hasMarked, isLost } = process
  const answered = (note: Byte, shown = state.shown): State =>
    withProcess({ ...state, shown }, who, { at: 'finish', note })
  if (isLost && leg > 0 && rules.correctsInTime) return [withProcess(state, who, take.idle)]
  if (how === 'delete') {
    const left = state.shown.filter(({ key }) => !process.ids.includes(key))
    return [answered(process.mayLeaveOne ? 'unknown' : 'sent', left), answered('failed')]
  }
  if (how === 'edit') {
    const edited = state.shown.map((each) => (each.key === 0 ? { ...each, text } : each))
    // an edit that changes nothing is done
    if (state.shown.some((each) => each.key === 0 && each.text === text)) return [answered('sent')]
    const instead = withProcess({ ...state, editsNoMore: true }, who, { how: 'own' })
    return state.editsNoMore || !state.shown.some(({ key }) => key === 0)
      ? [instead]
      : [answered('sent', edited), instead]
  }
  if (rules.folds && state.taken.includes(leg)) return [answered('sent')]
  const shown = answered('sent', [...state.shown, { key: leg, text }])
  const taken = { ...shown, taken: [...state.taken, leg] }
  const put = { ...answered('pending'), givesBackLeft: state.givesBackLeft - 1 }
  return [taken, answered('failed'), ...(hasMarked && state.givesBackLeft > 0 ? [put] : [])]
}

const follows: Record<Byte, readonly Byte[]> = {
  pending: ['attempting', 'failed', 'stopped', 'spared', 'nothing', 'uncorrected'],
  attempting: ['pending', 'sent', 'failed', 'unknown', 'stopped', 'nothing'],
  unknown: ['sent', 'failed'],
  sent: [],
  failed: [],
  stopped: [],
  spared: [],
  nothing: [],
  uncorrected: [],
}

function move(rules: Rules, state: State, leg: number, note: Byte, how: How): State {
  const { byte } = legOf(state, leg)
  if (!follows[byte].includes(note)) return state
  const moved = withLeg(state, leg, { byte: note, how: note === 'sent' ? how : '' })
  const newest = state.version - 1
  const isGivenBack = leg === 0 && note === 'pending' && newest > 0 && rules.releases
  return isGivenBack && legOf(state, newest).byte === 'pending' ? withLeg(moved, newest, { byte: 'nothing' }) : moved
}

/** record.lua, done: the claim leaves its stream. Who is given back goes into a later wave. */
function finish(rules: Rules, state: State, process: Process, who: number): State {
  const { leg, note, how } = process
  if (!owns(rules, process)) {
    const lost = withProcess(state, who, take.idle)
    return note === 'sent' && (how === 'own' || !rules.reportsMessagesAlone) ? report(rules, lost, leg, how) : lost
  }
  // record.lua: a report may have been faster
  const hasItByNow = leg > 0 && ['sent', 'unknown'].includes(legOf(state, 0).byte)
  const said = rules.looksAgain && note === 'nothing' && hasItByNow ? 'uncorrected' : note
  const written = said === null ? state : move(rules, state, leg, said, how)
  if (note === 'pending') return withProcess(written, who, { at: 'hand-back' })
  return withProcess(withLeg(written, leg, { isOpen: false, owner: null }), who, take.idle)
}

/** report.lua: that a provider has accepted it stays true, whoever says it */
function report(rules: Rules, state: State, leg: number, how: How): State {
  const { byte } = legOf(state, leg)
  if (!['attempting', 'unknown', 'failed'].includes(byte)) return state
  const told = withLeg(state, leg, { byte: 'sent', how })
  const newest = state.version - 1
  const wasRefused = leg === 0 && byte === 'failed' && newest > 0 && rules.keepsUncorrected
  return wasRefused && legOf(state, newest).byte === 'nothing' ? withLeg(told, newest, { byte: 'uncorrected' }) : told
}

/** defer.lua: an entry of its own again */
function handBack(rules: Rules, state: State, process: Process, who: number): State {
  if (!owns(rules, process)) return withProcess(state, who, take.idle)
  return withProcess(withLeg(state, process.leg, { owner: null }), who, take.idle)
}
