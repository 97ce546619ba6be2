import { expect } from 'chai'
import { networkOf } from '../src/access/network.ts'

describe('the network of an address', () => {
  const networks: [address: string, network: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', 'c000:207'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ]
  for (const [address, network] of networks) {
    it(`${address}: ${network}`, () => expect(networkOf(address)).to.equal(network))
  }
})
