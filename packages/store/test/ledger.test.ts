import { expect } from 'chai'
import { channelsOf } from '../src/history/ledger.ts'

describe('the channels of a history', () => {
  it('are those expected and those that have counted anything', () => {
    expect(channelsOf({ expected: 'vk,sms', 'telegram:s': '3', 'vk:n': '1' })).to.deep.equal(['sms', 'telegram', 'vk'])
  })

  it('are nothing else that stands in the record, such as what waits for a later wave', () => {
    const record = { size: '3', class: 'normal', 'vk:settled': '1', 'wave:1': 'telegram 0 3 1', 'wave:12': 'vk 0 3 1' }
    expect(channelsOf({ expected: 'vk', ...record })).to.deep.equal(['vk'])
  })
})
