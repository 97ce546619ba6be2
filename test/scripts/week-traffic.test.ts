import { expect } from 'chai'
import { audience, cohort, paced, traffic } from '../../tools/measure/week-traffic.mjs'

describe('what measure week sends', () => {
  it('counts what each provider is to get as the lines say it, one message of a thousand to a thousand', async () => {
    const { lines, wanted } = await traffic(2500)
    const bodies = [...lines].flat().map((line) => JSON.parse(line))
    expect(bodies).to.have.length(2500)
    const counted: Record<string, number> = {}
    for (const { to, channels } of bodies) {
      const people = to[0] === `cohort:${cohort}` ? audience : 1
      counted[channels[0]] = (counted[channels[0]] ?? 0) + people
    }
    expect(wanted).to.deep.equal(counted)
    expect(bodies.filter(({ to }) => to[0].startsWith('cohort:'))).to.have.length(3)
  })

  it('is written no faster than asked for', async () => {
    const { lines } = await traffic(500)
    const begun = performance.now()
    let text = ''
    for await (const bytes of paced(lines, 2)) text += bytes
    expect(text.trim().split('\n')).to.have.length(500)
    expect(performance.now() - begun).to.be.at.least(190) // the last hundred goes when 400 have had their time
  })
})
