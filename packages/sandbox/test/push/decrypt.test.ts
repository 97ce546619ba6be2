import { expect } from 'chai'
import { decrypt } from '../../src/push/decrypt.ts'

/** the example of RFC 8291, section 5 */
const body =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'

describe('a browser of the sandbox', () => {
  it('reads the example of the standard', () => {
    expect(decrypt(Buffer.from(body, 'base64url'))).to.equal('When I grow up, I want to be a watermelon')
  })

  it('reads nothing that is damaged, or too short to be anything', () => {
    const whole = Buffer.from(body, 'base64url')
    for (const at of [0, 21, 50, 90, whole.length - 1]) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(decrypt(damaged), String(at)).to.equal(undefined)
    }
    for (const length of [0, 1, 20, 86, 100]) expect(decrypt(whole.subarray(0, length))).to.equal(undefined)
  })
})
