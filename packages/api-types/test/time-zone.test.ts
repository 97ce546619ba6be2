import { expect } from 'chai'
import { isTimeZone } from '../src/time-zone.ts'

describe('a time zone', () => {
  it('is a name that this machine knows, asked for once or again', () => {
    for (const _again of [1, 2]) {
      for (const zone of ['Europe/Moscow', 'UTC', 'asia/yekaterinburg']) expect(isTimeZone(zone), zone).to.equal(true)
      for (const zone of ['', '+03:00', 'Mars/Base', ' UTC', 'constructor'])
        expect(isTimeZone(zone), zone).to.equal(false)
    }
  })

  it('is known however many others were asked for', () => {
    for (let index = 0; index < 2500; index += 1) expect(isTimeZone(`Mars/Base-${index}`)).to.equal(false)
    expect(isTimeZone('Europe/Moscow')).to.equal(true)
  })
})
