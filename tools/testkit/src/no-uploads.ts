/** For couriers that are given no files: whatever is to be uploaded is refused, and goes out as a link. */
import type { Uploads } from '@courier-fleet/couriers'

export const noUploads: Uploads = {
  upload: async () => ({ kind: 'refused', detail: 'nothing is uploaded here' }),
  forget: async () => {},
}
