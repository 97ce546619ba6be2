import type {
  AcceptedView,
  AcceptInput,
  ApplicationLinkInput,
  ApplicationLinkView,
  ApplicationList,
  RefuseInput,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** People who are not in the list and ask to be put into it. */
export function applicationCalls(http: Http) {
  return {
    /** A link to the page where people apply for a group; for whoever may read the group. */
    makeApplicationLink: (group: string, asked: ApplicationLinkInput = {}) =>
      http.call<ApplicationLinkView>('POST', path('groups', group, 'application-link'), { body: asked }),
    /** Those that wait to be decided, the oldest first; for admins. */
    applications: () => http.call<ApplicationList>('GET', '/applications'),
    /** Puts the applicant into the list, into a group; that of the link when absent. May be repeated. For admins. */
    acceptApplication: (id: string, into: AcceptInput = {}) =>
      http.call<AcceptedView>('POST', `${path('applications', id)}:accept`, { body: into }),
    /** The applicant reads the answer on their page; for admins. */
    refuseApplication: (id: string, why: RefuseInput) =>
      http.call<void>('POST', `${path('applications', id)}:refuse`, { body: why }),
  }
}
