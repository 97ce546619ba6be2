/** A fleet that is upgraded while other things go wrong, and in the next round brought back. */
import { badEnd, type Fleet, type Version } from '../fleet.ts'
import type { Draw } from './fault.ts'

const versions = new WeakMap<Fleet, Version>()

/**
 * Every process is told to stop, one after the other, and started as one of the other version: who reads before who writes, and back in
 * the opposite order, as docs/upgrading.md has it. Whoever is killed meanwhile comes back as what it is to be by then.
 */
export const upgrade: Draw = (_random, at) => ({
  name: 'upgrade',
  what: 'every process of another version',
  at,
  async happen({ fleet, onBadStop }) {
    const version = versions.get(fleet) === 'next' ? 'this' : 'next'
    versions.set(fleet, version)
    const { targets } = fleet
    for (const { name, member } of version === 'next' ? targets.toReversed() : targets) {
      const end = await member.stop()
      const wrong = end && badEnd(end)
      if (wrong) onBadStop(wrong)
      await fleet.startAs(name, version)
    }
  },
})
