import { http as descriptor } from '@courier-fleet/channels'

export const http = descriptor.name
