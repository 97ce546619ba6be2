import { expect } from 'chai'
import { pathOf, routeOf, views } from '../src/routes.ts'

describe('the routes of the page', () => {
  it('lead from path to view and back', () => {
    for (const view of views.filter((each) => each !== 'message'))
      expect(routeOf(pathOf({ view }))).to.deep.equal({ view })
    const message = { view: 'message', key: '07.t-01.V1StGXR8_Z5jdHi6B-myT' } as const
    expect(pathOf(message)).to.equal('/messages/07.t-01.V1StGXR8_Z5jdHi6B-myT')
    expect(routeOf(pathOf(message))).to.deep.equal(message)
  })

  it('keep what of a view is shown', () => {
    const found = { view: 'messages', query: { state: 'running', search: 'физика 101 & co' } } as const
    const path = pathOf(found)
    const [before = '', search] = path.split('?')
    expect(before).to.equal('/messages')
    expect(routeOf(before, `?${search}`)).to.deep.equal(found)
    expect(routeOf('/messages', '')).to.deep.equal({ view: 'messages' })
  })

  it('lead from anywhere else to writing', () => {
    for (const path of ['', '/', '/nowhere', '/message', '/compose/x'])
      expect(routeOf(path), path).to.deep.equal({ view: 'compose' })
    expect(routeOf('/messages/')).to.deep.equal({ view: 'messages' })
    expect(routeOf('/messages/%E0%A4%A')).to.deep.equal({ view: 'messages' })
  })
})
