// Signals that come at a bad moment, and signals somebody asked us to ignore.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cleanup.h"

#include "driver/process.h"

#include <gtest/gtest.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace gridspan::driver {
namespace {

TEST(Cleanup, ASignalWaitsWhileHeld) {
  EXPECT_EXIT(
      {
        install_cleanup("test");
        SignalsHeld outer;
        {
          SignalsHeld inner;
          std::raise(SIGTERM);
        }
        std::fputs("still here", stderr);
        {
          SignalsHeld again;
        }
        std::fputs(" and here", stderr);
      },
      testing::KilledBySignal(SIGTERM), "^still here and here$");
}

TEST(Cleanup, ASignalEndsAtOnceWhenNothingIsHeld) {
  EXPECT_EXIT(
      {
        install_cleanup("test");
        {
          SignalsHeld before;
        }
        std::raise(SIGINT);
        std::fputs("still here", stderr);
      },
      testing::KilledBySignal(SIGINT), "^$");
}

TEST(Cleanup, IgnoredSignalsStayIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);  // nohup
        install_cleanup("test");
        std::raise(SIGHUP);
        // A child inherits it.
        const Outcome outcome = run({"sh", {"-c", "kill -HUP $$; exit 7"}});
        std::exit(outcome.code);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace gridspan::driver
