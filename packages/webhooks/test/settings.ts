import { guardedSettings } from '../src/index.ts'

/** Plain HTTP and ports of any server, but only public addresses. */
export const publicOnly = guardedSettings({ HTTP_ALLOW_PLAIN: 'on' })

/** And one address of this machine. */
export const oneAddress = guardedSettings({ HTTP_ALLOW_PLAIN: 'on', HTTP_ALLOW_NETS: '127.0.0.1' })

export const nothingSaid = guardedSettings({})
