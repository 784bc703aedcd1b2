// Components of chunks with the messages that the first load does not need. Code of the first load must not import this
// module, because the messages come with it.

import { LATER_MESSAGES } from 'virtual:later-messages';
import type { ComponentType } from 'react';
import { MoreMessages } from '../i18n/index.ts';
import { moreMessages } from './state/more-messages.ts';

// Short messages and announcements, which code of the first load shows, may use them from now on.
moreMessages.set(LATER_MESSAGES);

/** Returns the component with all messages. */
export function withLaterMessages(Part: ComponentType): ComponentType {
  return function WithLaterMessages() {
    return (
      <MoreMessages of={LATER_MESSAGES}>
        <Part />
      </MoreMessages>
    );
  };
}
