// The menu beside Save: the other ways to save. It offers what the browser can do with the results.

import { type MessageKey, useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { save } from '../state/actions.ts';
import { outputBlobs } from '../state/item.ts';
import type { Session } from '../state/session.ts';
import { buttonLooks, Icon, Menu } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { hasAppIcons } from './app-icons-html.ts';
import { saveBy } from './save-by.ts';
import { ShareMore } from './share-more.tsx';
import { hasWidths } from './srcset.ts';
import { browserAbilities, type SaveWay, waysFor } from './ways.ts';

/** The menu with its messages, which are loaded with it. */
export const SaveMenu = withLaterMessages(WaysToSave);

function WaysToSave() {
  const session = useSession();
  const view = useSignal(session.view);
  const words = useWords();
  const { t } = words;
  const enabled = save.enabled(view);
  const entries = (enabled ? entriesOf(session) : []).map(({ way, label }) => ({
    way,
    text: t(label),
    disabled: false,
  }));
  const button = {
    ...buttonLooks(view.main === 'save' ? 'primary' : 'secondary', 'large'),
    'aria-label': t('save.more'),
    'aria-disabled': !enabled,
    title: t('save.more'),
    children: <Icon name="chevron-down" />,
  };
  return (
    <>
      <Menu entries={entries} button={button}>
        {({ way, text }, props, close) => (
          <button
            key={way}
            type="button"
            {...props}
            onClick={() => {
              close();
              void saveBy(way, session, words);
            }}
          >
            {text}
          </button>
        )}
      </Menu>
      <ShareMore />
    </>
  );
}

function entriesOf({ queue }: Session): { way: SaveWay; label: MessageKey }[] {
  const items = queue.items.get();
  const files = items.reduce((count, item) => count + outputBlobs(item).length, 0);
  const can = browserAbilities();
  const snippet = items.some(hasAppIcons) ? 'appIcons' : items.some(hasWidths) ? 'srcset' : 'none';
  return waysFor(files, snippet, can).map((way) => ({
    way,
    label: way === 'zip' && can.photos ? 'save.files' : `save.${way}`,
  }));
}
