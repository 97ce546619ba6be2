import { expect } from 'chai'
import { classOfState, whyNotDelivered, whyOf, whyUnknown } from '../src/people-classes.ts'
import { reasons, stateOfReason } from '../src/reasons.ts'

describe('why somebody does not have a message', () => {
  const ofClass = (name: string) => reasons.filter((reason) => classOfState(stateOfReason(reason), true) === name)

  it('has every reason of a receipt that says so, and each has a place among them', () => {
    expect([...whyNotDelivered]).to.include.members(ofClass('notDelivered'))
    expect([...whyUnknown]).to.include.members(ofClass('unknown'))
  })

  it('is the reason, or the state where the reason is of another', () => {
    for (const reason of [...ofClass('notDelivered'), ...ofClass('unknown')])
      expect(whyOf(stateOfReason(reason), reason)).to.equal(reason)
    expect(whyOf('failed', 'no-answer')).to.equal('failed')
    expect(whyOf('delivered', 'told-delivered')).to.equal(undefined)
  })
})
